/** Classes of autonomous systems. `vpn_host`: a hosting company whose main customers are VPN services. */
export const AS_CLASS_IDS = [
  "vpn",
  "vpn_host",
  "hosting",
  "cdn",
  "education",
  "government",
  "mobile",
  "isp",
] as const;
export type AsClassId = (typeof AS_CLASS_IDS)[number];

/**
 * Well-known autonomous systems by class, one operator a line: `Operator: numbers`, or `Operator = Service: numbers`
 * where the whole AS belongs to one VPN service. A number is here only if the whole AS is of its class. Carriers that
 * also rent out servers, and networks whose use is not clear, are left out. Add whole operators, not single cases.
 *
 * Compiled by hand from general knowledge of the operators. To check an entry, use the operator's own pages, PeeringDB
 * (https://www.peeringdb.com), bgp.tools (https://bgp.tools) and the registries.
 */
export const AS_CLASSES: Readonly<Record<AsClassId, string>> = {
  // Networks of VPN companies. Packethub and Cyberzone belong to the group of NordVPN and Surfshark, Strong Technology
  // and Mudhook Marketing to the group of IPVanish.
  vpn: `
    Proton = Proton VPN: 62371 199218 208172 209103
    Mullvad = Mullvad VPN: 216025
    Packethub: 136787 141039 147049 207137 272096
    Cyberzone: 209854
    Windscribe = Windscribe: 397540
    Strong Technology: 13926 22781 54203 62651 140952
    Mudhook Marketing: 46253
    Avast: 198605 198621
    IVPN = IVPN: 203619
    Castle VPN = Castle VPN: 397282
    VPNWholesaler: 62635
    Bullet Proof VPN: 208765
    Free Unlimited VPN: 213163
    iPlockVPN: 394104
  `,
  // 31173 rents servers to Mullvad; M247, Datapacket, GSL, Host Universal and Performive rent to most large VPN brands,
  // and to other customers too.
  vpn_host: `
    M247: 9009 16247 33970 42973 51332
    Datacamp (Datapacket, CDN77): 60068 211612 212238
    31173 Services: 39351 49399 214813
    GSL Networks: 7578 137409
    Host Universal: 134830 136557
    Performive: 22384 46562
  `,
  hosting: `
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
    VK Cloud: 28709 47541 47764
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
    HostRoyale: 39486 203020 207990
    Clouvider: 62240
    Latitude.sh: 262287 396356
    xTom: 3214 3258 4785 6233 9312
    DediPath: 35913
    FDCservers: 30058
    NovoServe: 939 24875 198969 215224 402133
    Amanah Tech: 32489
    ConnectingBytes: 34568
    Orion Network: 41564 58065
    UK Dedicated Servers: 42831
    Dedicated.com: 63018
    Nexeon: 20278
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
    GleSYS: 42708 43948
    Blix: 50304
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
    tzulo: 11878
    Private Layer: 51852
    Hydra Communications: 25369 49999 58325
    EstNOC: 206804
    VDC Powerbase: 9925
    Gigabit Hosting: 55720
    NetSec: 45753
    DingFeng XinHui: 134548
    Deft: 23352
    Global Layer: 49453
    LogicWeb: 64286
    UnitedLayer: 23342
    iFog: 34927
    H4Y: 397373
    ServeTheWorld: 34989
    WorkTitans: 209847
    Atman: 15694 57367
    Biterika: 35048
    IPXO: 834
  `,
  // 36183 is the part of Apple's relay that Akamai runs.
  cdn: `
    Cloudflare: 13335 14789 132892 139242 202623 203898 209242 394536 395747
    Akamai: 12222 16625 17204 18680 18717 20940 21342 24319 26008 31108 32787 33047 33905 34164 35204 35994 36183 43639 49846 55770 393560
    Fastly: 54113
    Edgio, Edgecast, Limelight: 14210 15133 22822 38622 55429
    Imperva: 19551
    Sucuri: 30148
    bunny.net: 200325
  `,
  // National research networks. Schools and universities are found by their names.
  education: `
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
  `,
  government: `
    United States Department of Defense: 306 668 721 749 1733 5972 27064 27065 27066
    NASA: 24 297
    UK Ministry of Defence: 203665
  `,
  // Networks of phones. Carriers that use one number for fixed lines too are left out.
  mobile: `
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
  `,
  // Access networks whose names do not show what they are. Their business customers are known from sources.
  isp: `
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
  `,
};

/** What is known about one autonomous system. `service`: the VPN service that the whole AS belongs to. */
export interface AsClass {
  readonly class: AsClassId;
  readonly operator: string;
  readonly service?: string;
}

const CLASSES = readClasses();

/** Returns the class of the autonomous system, or undefined when the table does not have it. */
export function findAsClass(asn: number): AsClass | undefined {
  return CLASSES.get(asn);
}

/** @throws Error when a line is not readable or a number appears twice. This happens when the program starts. */
function readClasses(): ReadonlyMap<number, AsClass> {
  const classes = new Map<number, AsClass>();
  for (const id of AS_CLASS_IDS) {
    for (const line of AS_CLASSES[id].trim().split("\n")) {
      const [, operator, service, numbers] = /^\s*([^:=]+?)(?: = ([^:=]+))?: ([\d ]+)$/.exec(line) ?? [];
      if (operator === undefined || numbers === undefined) throw new Error(`Cannot read "${line.trim()}"`);
      const known: AsClass = { class: id, operator, ...(service === undefined ? {} : { service }) };
      for (const number of numbers.split(" ").map(Number)) {
        if (classes.has(number)) throw new Error(`Cannot read "${line.trim()}": AS${number} is there twice`);
        classes.set(number, known);
      }
    }
  }
  return classes;
}
