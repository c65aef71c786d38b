/** Companies and other organisations that use their networks themselves. */
export const BUSINESS = `
  Apple: 714 2709 6185
  Cisco: 109
  VK: 47764
  Yandex: 13238
  Wikimedia: 14907
  Quad9: 19281
  ControlD: 398962
  CleanBrowsing: 205157
  Facebook: 32934 63293
  Netflix: 2906 40027
  GitHub: 36459
`;

/** Companies whose customers' employees browse the web through their servers: people at work, no anonymous exits. */
export const GATEWAY = `
  Zscaler: 22616 32921 40384 53444 53813 55242 62044 62907
  Netskope: 55256 151293
  Forcepoint: 7598 30057 35788 42465 43251 44444
  Menlo Security: 62654 152150
  iboss: 137922 202276 396253
  Check Point Harmony SASE: 398391
  Cato Networks: 13150 138627
  Skyhigh Security: 14600 203724
  Cisco Umbrella: 36692
`;
