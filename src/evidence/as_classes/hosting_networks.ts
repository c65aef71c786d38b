/** Hosting companies and clouds. */
export const HOSTING = `
  Amazon Web Services: 801 7224 8987 14618 16509 21664 36263 38895 55960 62785 135629 135630
  Microsoft: 3598 5761 8068 8069 8070 8071 8075 12076 35106 45139 58593 58862 59067 63314 200517
  Google: 15169 16550 19527 36040 36383 36384 36385 36411 36492 36987 41264 43515 45566 139070 139190 394089 394507 394639 395973 396982
  Oracle Cloud: 1215 6142 14544 15135 20054 31898 54253 200705 200981 206209 393314 393773 395010
  IBM Cloud, SoftLayer: 36351
  Alibaba Cloud: 24429 37963 45102 134963
  Tencent Cloud: 45090 132203 132591 133478 137876
  Huawei Cloud: 55990 136907 206204 265443
  Baidu: 38365 38627 55967
  Volcano Engine, ByteDance: 137718 138699 396986
  Kingsoft Cloud: 59019 137280
  UCloud: 59077 135377
  QingCloud: 59078
  JD Cloud: 131486
  CDS Global Cloud: 63199
  China Telecom Cloud and data centres: 23724 38283 58461 58519 58772 134760 134765 134768 137697
  Yandex Cloud: 200350 210656
  VK Cloud: 28709 47541
  Naver Cloud: 23576
  DigitalOcean: 14061 46652 393406
  Linode: 48337 63949
  Vultr: 20473
  Hetzner: 24940 212317 213230 215859
  OVHcloud: 16276 35540
  Scaleway: 12876 29447
  Contabo: 40021 51167 141995
  Leaseweb: 7203 16265 19148 27411 28753 30633 32613 38930 59253 60781 133752 134351 136988 205544 393886 394380 395954 396190 396362
  IONOS, Strato, home.pl, Arsys: 6724 8560 12824 20718
  GoDaddy, Host Europe, Heart Internet: 8972 20738 20773 21501 26496 34011 44273 398101
  PlusServer: 25074 61157
  velia.net: 29066 30083
  WIIT (myLoc): 24961
  Aruba: 31034 199883
  Register.it: 39729
  Seeweb: 12637
  Infomaniak: 29222
  Hostpoint: 29097
  netcup: 197540
  firstcolo: 44066
  Keyweb: 31103
  Mittwald: 15817
  All-Inkl: 34788
  gridscale: 29423
  aurologic: 30823
  SkyLink: 44592
  WorldStream: 8315 49981
  NForce: 43350
  Serverius: 50673 208685 211895
  i3D.net: 49544
  TransIP: 20857 35470
  LiteServer (The Infrastructure Group): 60404
  Hostkey: 50867 57043 395839
  Green Floid: 15626 21100 204957
  Hosting Ukraine: 200000
  Timeweb: 9123
  Selectel: 49505 50340
  FirstVDS (IOT): 29182
  Reg.ru: 197695
  Beget: 198610
  Aeza: 210644 216246
  Gcore: 199524 202422
  Hosting Technology, Servers Tech: 48282 216071
  Baxet: 26383 49392 51659
  Melbicom: 8849 56630
  Servers.com: 7979
  Sakura Internet: 7684 9370 9371
  GMO Internet: 7506
  Kagoya: 24282
  Xserver: 131965
  IDC Frontier: 4694
  KINX: 9286
  E2E Networks: 132420
  CtrlS: 18229
  Locaweb: 27715 28299
  Hostinger: 47583
  QuadraNet: 8100 29761
  Psychz: 40676
  HostPapa (ColoCrossing, Hostwinds): 36352 54290
  Nocix: 33387
  Hivelocity: 29802 61317
  Sharktech: 46844
  Steadfast: 32748
  Internap hosting: 32475
  Liquid Web: 32244
  Rackspace: 12200 15395 19994 27357 33070 45187 54636 58683
  HostDime: 33182
  InMotion, RamNode: 3842 22611 54641
  Newfold (Bluehost, HostGator): 29873 46606
  A2 Hosting: 55293
  DreamHost: 26347
  Namecheap: 22612
  Squarespace: 53831
  Wix: 58182
  Automattic: 2635
  Shopify: 62679
  Fly.io: 40509
  Railway: 400940
  Interserver: 19318
  WholeSale Internet: 32097
  Joe's Datacenter: 19969
  Eonix: 62904
  phoenixNAP: 19437 20454 60558
  ServerMania: 55286
  GTHost: 20724 61003 62563 63023
  ReliableSite: 23470
  VolumeDrive: 46664
  QuickPacket: 46261
  GorillaServers: 53850
  HugeServer: 25780
  Krypt: 4213 35908
  Multacom: 35916
  IT7 Networks: 25820
  Enzu: 18978
  WebNX: 18450
  Limestone Networks: 46475
  RouterHosting: 14956
  Tier.Net: 397423
  FranTech: 53667
  Latitude.sh: 262287 396356
  xTom: 3214 3258 4785 6233 9312
  DediPath: 35913
  FDCservers: 30058
  NovoServe: 939 24875 198969 215224 402133
  ConnectingBytes: 34568
  UK Dedicated Servers: 42831
  Dedicated.com: 63018
  CNServers: 40065
  Servers Australia: 9280 18345 45671 132324
  Dedicated Servers Australia: 55359 58940
  Input Output Flood: 53755
  Colocation America: 21769
  MojoHost: 27589
  zColo: 13354
  GloboTech: 36666
  Packet (Equinix Metal): 54825
  NetActuate: 36236
  Handy Networks: 30475
  Volico: 33724
  FortressITX: 25653
  HopOne: 14361
  Kamatera: 36007 41436 54913 64022 204548 210329 215728 396948 396949
  24 Shells: 55081
  Zenlayer: 4229 21859 29752 38854 62610 139625 393502
  Ikoula: 21409
  Gandi: 29169 203476
  PlanetHoster: 53589
  UKFast: 34119 61323
  iomart: 20860 35425
  UK2: 13213
  Krystal: 12488
  Mythic Beasts: 44684
  team.blue: 29550 34282 48854
  Your Hosting: 48635
  Hostnet: 197902
  Tilaa: 196752
  Cyso: 25151
  GHOSTnet: 12586 197549
  Crea Nova: 51765
  UpCloud: 25697 202053
  One.com: 51468
  Loopia: 39570
  Nine: 29691
  HZ Hosting: 59711
  MVPS: 202448
  Belcloud: 44901
  Voxility: 3223
  IP Volume: 202425
  FlokiNET: 200651
  Materialism: 39287
  1984: 44925
  HostSailor: 60117
  AlexHost: 200019
  MivoCloud: 39798
  Trabia: 43289
  Cherry Servers: 16125
  IST Lithuania: 61272
  EDIS: 57169
  meerfarbig: 34549
  Synlinq: 44486
  dataforest: 58212
  Anexia: 42473
  Gigas: 57286
  Netrouting: 47869
  RouteLabel: 198203
  3W Infra: 60144
  Duocast: 31477
  CyberFolks: 41079 198414
  Xneelo: 37153
  VDC Powerbase: 9925
  NetSec: 45753
  DingFeng XinHui: 134548
  Deft: 23352
  UnitedLayer: 23342
  iFog: 34927
  H4Y: 397373
  ServeTheWorld: 34989
  WorkTitans: 209847
  Atman: 15694 57367
  Biterika: 35048
  IPXO: 834
  Cizgi Telekom: 34619
  Radore: 42926
  Scalaxy: 58061
  Zomro: 204601
  Digital Energy Technologies: 61440
  DMIT: 906 54574
  NetLab: 979
  TeraSwitch: 20326
  Switch data centres: 23005
  code200: 203061
  Oxylabs: 396319
  TierPoint: 17378
  Flexential: 13649
  Expedient: 17054
  Datapipe: 22205
  DataBank: 13767
  PEG TECH: 54600 398478 398823
  DingFeng XinHui (Hong Kong): 134175
  Luogelang: 135097 142286
  CyrusOne: 62
  pair Networks: 7859
  Binero: 35041
  Pulsant: 12703
  21Vianet (Abitcool): 9308
  BytePlus: 150436
  Oculus Networks: 398781
  Mod Mission Critical: 39855 54103
  1-grid: 36943
  Macquarie Technology: 140637
  TerraTransit: 42366
  NTT SmartConnect: 7671
  UOL: 15180
  SmileServ: 38700
  Vancis: 15879
`;

/** Content delivery networks. 36183 is the part of Apple's relay that Akamai runs. */
export const CDN = `
  Cloudflare: 13335 14789 132892 139242 202623 203898 209242 394536 395747
  Akamai: 12222 16625 17204 18680 18717 20940 21342 24319 26008 31108 32787 33047 33905 34164 35204 35994 36183 43639 49846 55770 393560
  Fastly: 54113
  Edgio, Edgecast, Limelight: 14210 15133 22822 38622 55429
  Imperva: 19551
  Sucuri: 30148
  bunny.net: 200325
`;
