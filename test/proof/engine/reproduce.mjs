// Makes sqld 0.24.32 stand still. Needs Node 18 or later, or Bun, and nothing else:
//   sqld --no-welcome --db-path /tmp/stall --http-listen-addr 127.0.0.1:8080
//   node reproduce.mjs http://127.0.0.1:8080 [WRITERS] [SECONDS]
// Each writer sends one INSERT of its own stream after another. Ends with 1 when no write is acknowledged for 10 s.
const [url = "http://127.0.0.1:8080", writers = "16", seconds = "120"] = process.argv.slice(2);

async function send(sql) {
  const response = await fetch(`${url}/v2/pipeline`, {
    method: "POST",
    body: JSON.stringify({ requests: [{ type: "execute", stmt: { sql } }, { type: "close" }] }),
    signal: AbortSignal.timeout(5000),
  });
  const { results } = await response.json();
  if (results[0].type !== "ok") throw new Error(results[0].error.message);
}

await send("CREATE TABLE IF NOT EXISTS stall (content BLOB)");
const startedAt = Date.now();
let acknowledged = 0;
let refused = 0;
let lastAt = startedAt;
const isOver = () => Date.now() - lastAt > 10_000 || Date.now() - startedAt > seconds * 1000;

async function write() {
  while (!isOver()) {
    try {
      await send("INSERT INTO stall VALUES (randomblob(8000))");
      acknowledged += 1;
      lastAt = Date.now();
    } catch {
      refused += 1;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

await Promise.all(Array.from({ length: Number(writers) }, write));
const isStalled = Date.now() - lastAt > 10_000;
const runSeconds = ((lastAt - startedAt) / 1000).toFixed(0);
console.log(
  `${acknowledged} writes acknowledged, ${refused} failed, ${isStalled ? "stalled after" : "no stall in"} ${runSeconds} s`,
);
process.exit(isStalled ? 1 : 0);
