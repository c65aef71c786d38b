/**
 * Networks of VPN companies. Packethub and Cyberzone belong to the group of NordVPN and Surfshark, Strong Technology
 * and Mudhook Marketing to the group of IPVanish.
 */
export const VPN = `
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
`;

/**
 * Hosting companies on whose servers VPN services are common: the brands rent there in many cities, and much of what
 * leaves these networks towards websites is a VPN. They have other customers too, so it is the word of one family.
 */
export const VPN_HOST = `
  M247: 9009 16247 33970 42973 51332
  Datacamp (Datapacket, CDN77): 60068 211612 212238
  31173 Services: 39351 49399 214813
  GSL Networks: 7578 137409
  Host Universal: 134830 136557
  Performive: 22384 46562
  F.N.S. Holdings (Internet Utilities): 206092
  Clouvider: 62240
  Global Layer: 49453 57172
  EstNOC: 206804
  HostRoyale: 39486 203020 207990
  Hydra Communications: 25369 49999 58325
  Amanah Tech: 32489
  LogicWeb: 64286
  tzulo: 11878
  Nexeon Technologies: 20278
  Orion Network: 41564 58065
  Private Layer: 51852
  Gigabit Hosting: 55720
  Intergrid Group: 133480
  Think Huge: 199967
  Owl Limited: 43357
  Global Connections Network: 207223
  Blix Solutions: 50304
  GleSYS: 42708 43948
  3xK Tech: 200373
`;

/** Networks of people and associations who operate Tor relays. Not every address of them is an exit. */
export const TOR = `
  Stiftung Erneuerbare Freiheit: 60729
  F3 Netze: 205100
  Foundation for Applied Privacy: 208323
  Emerald Onion: 396507
  Calyx Institute: 4224 401370
  Quintex Alliance Consulting: 62744
  Unredacted: 401401 401720
  DFRI: 198093
  Church of Cyberology: 215125
  Osservatorio Nessuno: 214094
`;
