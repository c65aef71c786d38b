/**
 * `bun writer.ts PATH NEXT,NEXT,… [DEEDS]` opens the database and does the deeds of every lane until it is killed (or
 * DEEDS in each lane). After each acknowledged deed it writes a line `LANE N` to stdout.
 */
import { writeSync } from "node:fs";
import { openStore } from "#store";
import { doDeed, planDeed } from "./deeds.ts";
import { migrations } from "./folders.ts";

const [path = "", nexts = "", most = "1000000000"] = process.argv.slice(2);
const store = await openStore({ url: `file:${path}`, migrations });
writeSync(1, "open\n");
await Promise.all(
  nexts.split(",").map(async (next, lane) => {
    if (next === "") return;
    const first = Number(next);
    for (let n = first; n < first + Number(most); n += 1) {
      await doDeed(store, lane, planDeed(lane, n));
      writeSync(1, `${lane} ${n}\n`);
      await Bun.sleep(0);
    }
  }),
);
await store.close();
