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
 * 31173 rents servers to Mullvad; M247, Datapacket, GSL, Host Universal and Performive rent to most large VPN brands,
 * and to other customers too.
 */
export const VPN_HOST = `
  M247: 9009 16247 33970 42973 51332
  Datacamp (Datapacket, CDN77): 60068 211612 212238
  31173 Services: 39351 49399 214813
  GSL Networks: 7578 137409
  Host Universal: 134830 136557
  Performive: 22384 46562
  F.N.S. Holdings (Internet Utilities): 206092
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
