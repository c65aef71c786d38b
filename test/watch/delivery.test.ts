import { describe, expect, test } from "bun:test";
import { readAddress } from "#kit";
import { assess } from "#lookup";
import {
  createWatcher,
  parseWatchList,
  readWebhookSecret,
  sendEvent,
  signEvent,
  type Webhook,
  type WebhookPorts,
} from "#watch";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const key = readWebhookSecret(SECRET) ?? expect.unreachable();

test("signEvent() makes the signature of the tests of Standard Webhooks", () => {
  const body = '{"test": 2432232314}';
  expect(signEvent(key, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body)).toBe(
    "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  );
});

test.each(["", "whsec_", "whsec_AAAA", `whsec_${"A".repeat(92)}`, SECRET.slice(6), `${SECRET}!`])(
  "readWebhookSecret() refuses %j",
  (text) => {
    expect(readWebhookSecret(text)).toBeUndefined();
  },
);

describe("sendEvent()", () => {
  const sent: string[] = [];
  const ports = (addresses: readonly string[], status = 204): WebhookPorts => ({
    resolve: async () => addresses.map((text) => readAddress(text)),
    async post(url) {
      sent.push(url);
      return status;
    },
    now: () => 1_614_265_330_500,
  });
  const event = { id: "evt_1", body: "{}" };
  const send = (url: string, using: WebhookPorts, more: Partial<Webhook> = {}) =>
    sendEvent(event, { url, key, allowPrivate: false, ...more }, using);

  test("refuses a receiver that is not public, by address and by name, unless it is allowed", async () => {
    sent.length = 0;
    for (const url of ["http://127.0.0.1:9/", "https://10.0.0.1/x", "http://[::1]/", "http://[fd00::1]/"])
      expect(await send(url, ports([]))).toBe("its address is not public");
    expect(await send("https://hook.example/", ports(["81.2.69.1", "192.168.1.1"]))).toBe(
      "its address is not public",
    );
    expect(await send("https://hook.example/", ports([]))).toBe("its name has no address");
    expect(sent).toEqual([]);
    expect(await send("http://127.0.0.1:9/", ports([]), { allowPrivate: true })).toBeUndefined();
    expect(await send("https://hook.example/", ports(["81.2.69.1"]))).toBeUndefined();
    expect(sent).toHaveLength(2);
  });

  test("says why a message was not taken, without the URL", async () => {
    expect(await send("https://hook.example/key", ports(["81.2.69.1"], 302))).toBe("it answers 302");
    const broken = {
      ...ports(["81.2.69.1"]),
      post: () => Promise.reject(new Error("the connection failed")),
    };
    expect(await send("https://hook.example/key", broken)).toBe("the connection failed");
  });
});

test("what waits is sent before names are resolved, of which some are resolved at a time", async () => {
  const steps: string[] = [];
  const started = Promise.withResolvers<void>();
  const watcher = createWatcher({
    entries: () => parseWatchList("a.example\nb.example\n"),
    async resolve(name) {
      if (steps.push(name) === 3) started.resolve();
      await started.promise;
      throw new Error("silent");
    },
    survey: async () => undefined,
    assess,
    repository: { readDue: async () => new Map(), prune: async () => {} } as never,
    hasWebhook: true,
    deliver: async () => void steps.push("deliver"),
    reportUrl: String,
    now: Date.now,
    log: (level) => expect(level).toBe("debug"),
    onChange: () => {},
  });
  await watcher.tick();
  expect(steps).toEqual(["deliver", "a.example", "b.example", "deliver"]);
});
