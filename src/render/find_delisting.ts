/** Public pages where a list explains or removes an entry, by zone; `{ip}` stands for the address. */
const PAGES: Readonly<Record<string, string>> = {
  spamhaus_zen: "https://check.spamhaus.org/results/?query={ip}",
  spamhaus_dqs: "https://check.spamhaus.org/results/?query={ip}",
  spamhaus_drop: "https://check.spamhaus.org/results/?query={ip}",
  dronebl: "https://dronebl.org/lookup?ip={ip}",
  spamcop: "https://www.spamcop.net/w3m?action=checkblock&ip={ip}",
  psbl: "https://psbl.org/listing?ip={ip}",
  mailspike: "https://mailspike.org/iplookup.html",
  blocklist_de_list: "https://www.blocklist.de/en/delist.html?ip={ip}",
  blocklist_de: "https://www.blocklist.de/en/delist.html?ip={ip}",
  s5h: "https://www.usenix.org.uk/content/rbl.html",
  efnet_rbl: "https://rbl.efnetrbl.org/",
  gbudb_truncate: "https://www.gbudb.com/truncate/",
  uceprotect_l1: "https://www.uceprotect.net/en/rblcheck.php?ipr={ip}",
  spamrats_dyna: "https://www.spamrats.com/removal.php",
  spamrats_noptr: "https://www.spamrats.com/removal.php",
  spamrats_spam: "https://www.spamrats.com/removal.php",
  spamrats_auth: "https://www.spamrats.com/removal.php",
  spam_eating_monkey: "https://spameatingmonkey.com/delist",
  stopforumspam: "https://www.stopforumspam.com/removal",
  stopforumspam_list: "https://www.stopforumspam.com/removal",
  greensnow: "https://greensnow.co/view/{ip}",
  feodo: "https://feodotracker.abuse.ch/browse/host/{ip}/",
  virusfree_bip: "https://www.virusfree.cz/",
};

/** The page of a list where this address's entry is explained or removed, if one is known. */
export function findDelisting(zone: string, ip: string): string | undefined {
  const page = Object.hasOwn(PAGES, zone) ? PAGES[zone] : undefined;
  return page?.replace("{ip}", () => encodeURIComponent(ip));
}
