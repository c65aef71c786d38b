/** Networks of phones. Carriers that use one number for fixed lines too are left out. */
export const MOBILE = `
  T-Mobile US: 21928
  Verizon Wireless: 6167 22394
  AT&T Mobility: 20057
  NTT Docomo: 9605
  Rakuten Mobile: 138384
  SK Telecom: 9644
  LG U+: 17853
  SmarTone: 17924
  China Mobile Hong Kong: 137872
  Taiwan Mobile: 24158
  Chunghwa mobile: 17421
  Singtel Mobile: 45143
  Telkomsel: 23693
  DTAC: 24378
  AIS: 131445
  True Move: 132061 132618
  Celcom: 10030
  Digi Malaysia: 4818
  U Mobile: 38466
  Globe Telecom mobile: 132199
  MobiFone: 131429
  Grameenphone: 24389
  Banglalink: 45245
  Robi: 24432
  Mobitel: 45356
  Jazz: 45669
  Telenor Pakistan: 24499
  Zong: 59257
  Ufone: 56167
  Airtel India mobile: 45609
  Vodafone Idea: 38266 45271 55410 55644
  Jio: 55836
  Vodafone Australia: 133612
  Three UK: 60339 206067
  Vodafone UK: 25135
  O2 UK: 29180 35228
  Three Ireland: 13280
  Free Mobile: 51207
  TIM mobile: 16232
  Yoigo: 16299
  Odido: 31615
  Three Sweden: 44034
  Polkomtel: 8374
  T-Mobile Poland: 12912
  Play: 39603 201019
  Drei Austria: 25255
  Cosmote: 29247
  Vodafone Ukraine: 21497
  lifecell: 34058
  T2: 12958 15378 39374 41330 42437 48190
  Beeline mobile: 16345
  MTS Belarus: 25106
  Turkcell: 16135
  Vodafone Turkey: 15897
  TT Mobil: 20978
  Irancell: 44244
  MCI: 197207
  Rightel: 57218
  Zain Saudi Arabia: 43766
  Zain Kuwait: 42961
  Kcell: 29355
  Vodafone Egypt: 36935
  Orange Egypt: 37069
  MTN: 16637 20294 29465 30986 36890 36962 36974
  Vodacom: 29975
  Cell C: 37168
  Airtel Africa: 36873 36926 37075
  Telcel: 28403
  Comcel: 26611
  Tigo Colombia: 27831
  Claro Brasil mobile: 22085
  TIM Brasil: 26615
  MegaFon: 12714 20632 25159 31133 31163 31195 31205 31208 31213 31224
  MTS Russia: 8359
  Vodacom South Africa: 36994
  Vodacom Tanzania: 36908
  Etisalat Egypt: 36992
  Smart Communications: 10139
  XL Axiata: 24203
  Smartfren: 18004
  Tri Indonesia: 45727
  AT&T Mexico: 28469
  Viettel Peru: 262210
  Bell Mobility: 36522
  Globacom: 37148
  9mobile: 37076
  Tigo Tanzania: 37035
  Ooredoo Algeria: 33779
  Dialog Axiata: 18001
  Ncell: 38565
  Rain: 37105
  China Mobile provincial networks: 9231 24400 24444 24445 24547 38019 56040 56041 56042 56044 56046 56047 56048 132510 132525 134810
  EE: 12576
  T-Mobile Czech Republic: 13036
`;
