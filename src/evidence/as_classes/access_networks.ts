/** Access networks whose names do not show what they are. Their business customers are known from sources. */
export const ISP = `
  Comcast: 7015 7725 7922 33491 33651 33657
  Charter: 10796 11351 11426 11427 12271 20001 20115 33363
  Cox: 22773
  Altice USA: 6128 19108
  Frontier: 5650
  Mediacom: 30036
  RCN: 6079
  WOW: 12083
  Cable One: 11492
  Google Fiber: 16591
  Bell Canada: 577
  Rogers: 812
  Shaw: 6327
  TELUS: 852
  Videotron: 5769
  TekSavvy: 5645
  Deutsche Telekom: 3320
  Vodafone Germany: 3209 29562 31334
  1&1 Versatel: 8881
  NetCologne: 8422
  Free: 12322
  Orange France: 3215
  SFR: 15557
  Bouygues: 5410
  BT: 2856 6871
  Virgin Media: 5089
  Sky UK: 5607
  TalkTalk: 13285
  Vodafone UK fixed: 5378
  Telefonica Spain: 3352
  Orange Spain: 12479
  Vodafone Spain: 6739 12430
  TIM: 3269
  Fastweb: 12874
  Wind Tre: 1267
  Vodafone Italy: 30722
  TDC: 3292
  Telia Sweden: 3301
  Telenor Norway: 2119
  DNA: 16086
  KPN: 1136
  Vodafone Ziggo: 33915
  Odido fixed: 50266
  Proximus: 5432
  Telenet: 6848
  Swisscom: 3303
  Sunrise: 6730
  A1 Austria: 8447
  O2 Czech Republic: 5610
  Orange Poland: 5617
  Vectra: 29314
  Multimedia Polska: 21021
  Turk Telekom: 9121
  Superonline: 34984
  Rostelecom: 12389
  Beeline fixed: 8402
  MGTS: 25513
  Kazakhtelecom: 9198
  Biglobe: 2518
  SoftBank: 17676
  Chubu Telecommunications: 18126
  OPTAGE: 17511
  SK Broadband: 9318
  LG Powercomm: 17858
  Chunghwa HiNet: 3462
  Taiwan Fixed Network: 9924
  PLDT: 9299
  VNPT: 45899
  Viettel: 7552
  FPT: 18403
  Telkom Indonesia: 7713
  TOT: 23969
  Triple T Broadband: 45758
  True Internet: 17552
  BSNL: 9829
  Airtel India fixed: 24560
  Hathway: 17488
  ACT: 18209
  Telstra: 1221
  Optus: 4804
  TPG: 7545
  iiNet: 4739
  One New Zealand: 9500
  Claro NXT: 28573
  Vivo: 18881 26599 27699
  V.tal (Oi): 7738 8167
  Telmex: 8151
  Megacable: 13999
  Totalplay: 17072
  Telecom Argentina: 7303
  Telecentro: 27747
  Telefonica Argentina: 22927
  Telefonica Chile: 7418
  Claro Colombia fixed: 10620
  Movistar Colombia: 3816
  ETB: 19429
  Telefonica Peru: 6147
  CANTV: 8048
  TE Data: 8452
  Maroc Telecom: 36903
  Saudi Telecom: 25019
  Etisalat: 5384
  du: 15802
  TCI: 58224
  Shatel: 31549
  Bezeq International: 8551
  HOT: 12849
  CHINANET: 4134 4811 4812 4813 4835 17638 58540 58541 58542 58543 133774 133775 133776
  China Unicom: 4808 4837 17621 17622 17623 17816 135061
  China Tietong: 9394 24138
  Gehua: 17429
  Verizon: 701 702 703 2828 7046
  AT&T: 6389 7018 7132
  CenturyLink: 209 4323
  Windstream: 7029
  Magenta Austria: 8412
  China Mobile: 9808
  Triolan: 13188
  NTT OCN: 4713
  KDDI: 2516
  KT: 4766
  LG Uplus fixed: 3786
  Sony So-net: 2527
  JCOM: 9617 9824 10010
  IIJ: 2497
  Singtel fixed: 3758 9506
  StarHub: 4657 55430
  PCCW, HKT: 4515 4760
  HGC: 9304
  Airtel India: 9498
  Liberty Global: 6830
  Telefonica Germany: 6805
  Hrvatski Telekom: 5391
  Two Degrees: 9790
  VPS Broadband: 135756
  UPC Poland: 9141
  Embratel: 4230
`;

/** Networks whose customers reach the internet over satellites, at home, at sea and in the air. */
export const SATELLITE = `
  Starlink: 14593 27277 40714
  Viasat: 7155 16491 40306 40310 40311
  Hughes: 1358 6621 12440 17648 28613
  OneWeb: 800
  Eutelsat, Skylogic: 15829 29137 29286 34444
  SES: 12684
  Intelsat: 22351 26243
  Inmarsat: 25222 31515 31753
  Marlink: 5377 8264 8841 14549 22218 24039
  Speedcast: 4913 5666 9229 9731 32034 38456
  KVH Industries: 25687
  Avanti: 39356
  Kacific: 135409
  IPSTAR: 38172
  SkyMesh: 7477 24395
  Telesat: 11919 16212 19036
  Gogo: 11167
  Isotropic: 36426
  X2nSat: 15035
  Pasifik Satelit Nusantara: 9875 38154
  Telkomsat: 10137 56241
  Iridium: 22184
  Globalstar: 19458
`;
