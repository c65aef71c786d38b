// Asks the upstreams as often as surveys do, and prints the processor time of one survey in milliseconds.
import { Resolver } from "node:dns/promises";

const { url, server, http, dns, surveys } = JSON.parse(process.argv.at(-1));
const resolvers = Array.from({ length: dns }, () => {
  const resolver = new Resolver({ timeout: 1000, tries: 2 });
  resolver.setServers([server]);
  return resolver;
});
const survey = (n) =>
  Promise.all([
    ...Array.from({ length: http }, async () => (await fetch(`${url}/api.ipquery.io/8.99.${n}.9`)).json()),
    ...resolvers.map((resolver, at) => resolver.resolve4(`9.${n}.99.8.z${at}.example`).catch(() => {})),
  ]);
await survey(surveys);
const before = process.cpuUsage();
for (let n = 0; n < surveys; n += 1) await survey(n);
const { user, system } = process.cpuUsage(before);
console.log((user + system) / 1000 / surveys);
