import { expect, test } from "bun:test";
import { arrange, NO_LIMITS } from "./arrange.ts";
import { readState } from "./read_state.ts";

const CLIENTS = 50;
const LOAD_MS = 3000;

/** Of the 50 connections that are open at once, each may be counted a few times while it is closed. */
const MOST_SOCKETS = 300;

/** Bun closes no socket while it accepts connections, unless requests leave the turn of the event loop. */
test("clients with a connection for each request leave no socket open behind them", async () => {
  const { service, known, close } = await arrange({ known: 4, env: NO_LIMITS });
  try {
    const end = performance.now() + LOAD_MS;
    let asked = 0;
    const clients = Array.from({ length: CLIENTS }, async () => {
      for (; performance.now() < end; asked += 1) {
        const page = await fetch(`${service.url}/compare?ips=${known}`, { keepalive: false });
        expect([page.status, (await page.text()).length > 1000]).toEqual([200, true]);
      }
    });
    let sockets = 0;
    while (performance.now() < end) {
      await Bun.sleep(100);
      sockets = Math.max(sockets, readState(service.process.pid).sockets);
    }
    await Promise.all(clients);
    expect(asked).toBeGreaterThan(2 * MOST_SOCKETS);
    expect(sockets).toBeLessThan(MOST_SOCKETS);
  } finally {
    await close();
  }
}, 60_000);
