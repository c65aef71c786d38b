import { expect, test } from "bun:test";
import { renderAtom } from "#watch";

test("renderAtom() writes well-formed entries, and leaves out what it cannot read", () => {
  const body = JSON.stringify({
    type: "address.listed",
    timestamp: "2026-01-02T03:04:05.000Z",
    data: {
      address: "81.2.69.1",
      label: 'a <b> & "c"\u0001',
      what: "DroneBL",
      from: "not listed",
      to: "listed",
      purity: 40,
      reportUrl: "https://ip.example.org/ip/81.2.69.1",
    },
  });
  const event = { id: "evt_1", address: "81.2.69.1", at: Date.UTC(2026, 0, 2), body };
  const feed = renderAtom(
    [event, { ...event, id: "evt_2", body: "{" }],
    "https://ip.example.org/watch.atom",
    0,
  );
  expect(feed).toContain("<updated>2026-01-02T00:00:00.000Z</updated>");
  expect(feed).toContain(
    "<title>a &lt;b&gt; &amp; &quot;c&quot; (81.2.69.1): DroneBL: not listed → listed</title>",
  );
  expect(feed.match(/<entry>/g)).toHaveLength(1);
  expect(renderAtom([], "https://ip.example.org/watch.atom", 0)).toContain("1970-01-01T00:00:00.000Z");
});
