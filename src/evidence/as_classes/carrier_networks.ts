/**
 * Carriers that sell transit to networks of every kind, and the countries in which they register their own space.
 * Orange's 5511 is left out: its subsidiaries abroad announce their own customers through it.
 */
export const CARRIER = `
  Cogent Communications [US]: 174 2149
  Lumen, Level 3 [US]: 3356 3549 3561
  Zayo [US CA]: 6461
  GTT Communications [US NL]: 3257 4436 5580
  NTT Global IP Network [US JP]: 2914
  Arelion, Telia Carrier [SE]: 1299
  Tata Communications [US CA IN]: 6453
  Hurricane Electric [US]: 6939
  Sparkle [IT]: 6762
  PCCW Global [HK]: 3491
  Telxius [ES]: 12956
  RETN [GB]: 9002
  Core-Backbone [DE]: 33891
  euNetworks [GB]: 13237
  IPTP Networks [CY]: 41095
  Level 3 regional networks [US]: 203 10753 18756
  Zayo Bandwidth [US CA]: 11686
`;
