/** National research networks. Schools and universities are found by their names. */
export const EDUCATION = `
  CERNET: 4538 23910 24348 24349 24350 24353 24355 24357 24361 24362 24363 24364 24367 24369 24370 24371 24372
  CSTNET: 7497
  Jisc: 786
  DFN: 680
  SURF: 1101 1103 1128 1133
  RENATER: 2200
  GARR: 137
  RedIRIS: 766
  RCTS: 1930
  BELNET: 2611
  RoEduNet: 2614
  LITNET: 2847 5479
  CESNET: 2852
  NORDUnet: 2603
  SUNET: 1653
  FUNET: 1741
  SIKT: 224
  Forskningsnettet: 1835
  SWITCH: 559
  ACOnet: 1853
  HUNGARNET: 1955
  ARNES: 2107
  CARNET: 2108
  AMRES: 13092
  GRNET: 5408
  PIONIER: 8501 8970 9112
  ULAKNET: 8517
  HEAnet: 1213
  IUCC: 378
  SINET: 2907
  KREONET: 1237 17579
  TANet: 1659
  TWAREN: 7539
  AARNet: 7575
  REANNZ: 38022
  TEIN: 24490
  UniNet: 4621
  MYREN: 24514
  SingAREN: 23855
  PERN: 45773
  BdREN: 63961
  LEARN: 38229
  NKN: 9885 55824
  ERNET: 2697
  TENET: 2018
  UbuntuNet: 36944
  WACREN: 37288
  Internet2: 11164 11537
  GEANT: 20965 21320
  CANARIE: 6509
  RNP: 1916
  RedCLARA: 27750
  CUDI: 18592
  REUNA: 11340
  ESnet: 293
  CENIC: 2152 2153
  OARnet: 600 3112
  WiscNet: 2381
  NYSERNet: 3754
  Merit: 237
  MCNC: 81
  MOREnet: 2572
  OneNet: 5078
  RUNNet: 3267
  URAN: 12687
  Leibniz-Rechenzentrum: 12816
  WIDE Project: 2500
  Los Nettos: 226
  Utah Education Network: 210
  CERN: 513
  CSIRO: 6262
  RENATER regional networks: 1715 1942 1945 2439 2457
  ESnet sites: 291 292
  Jet Propulsion Laboratory: 127
  Kenya Education Network: 36914
  BCNET: 271
  RISQ: 376
  CEA: 777
  San Diego Supercomputer Center: 195
  AIST: 23793
  FAPESP: 1251
  Nevada System of Higher Education: 3851
  UMASSNET: 1968
  NJEdge: 21976
  DESY: 1754
`;

/** Governments whose networks' names do not show it. */
export const GOVERNMENT = `
  United States Department of Defense: 306 668 721 749 1733 5972 27064 27065 27066
  NASA: 24 297
  UK Ministry of Defence: 203665
  United States Army (USAISC): 1493 1530 1540 1602 1637 1649 4010
  USDA: 4155
  Shared Services Canada: 2665 3766
  NHS England: 42952
  National Institutes of Health: 3527
  NOAA: 3477
  Environmental Protection Agency: 14298
  New York State: 26854
  Service Alberta: 393952
  Georgia Technology Authority: 2897
  State of Geneva: 21449
  Swiss Federation: 33845
  Korea National Information Resources Service: 17841
  SERPRO: 10954
  French interministerial network: 60855
`;
