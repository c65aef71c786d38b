import { join } from "node:path";
import { findProgram } from "./find_program.ts";

/** A window of Firefox. `setViewport` and `open` wait until the page has loaded. */
export type FirefoxWindow = Awaited<ReturnType<typeof startFirefox>>;

/** Firefox asks servers of its maker at the start; tests have no network. */
const PREFERENCES = {
  "services.settings.server": "data:,",
  "network.connectivity-service.enabled": false,
  "network.captive-portal-service.enabled": false,
  "app.normandy.enabled": false,
  "toolkit.telemetry.server": "",
};

/**
 * Starts the Firefox of the system without a window and speaks WebDriver BiDi (https://www.w3.org/TR/webdriver-bidi/)
 * with it. `profile` is an empty folder.
 * @throws if it is missing: call `findProgram("firefox-esr")` first.
 */
export async function startFirefox(profile: string) {
  const program = findProgram("firefox-esr");
  if (program === undefined) throw new Error("Cannot start Firefox: it is missing");
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  await Bun.write(join(profile, "user.js"), lines.join(""));
  const firefox = Bun.spawn(
    [program, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0"],
    { env: { ...Bun.env, HOME: profile }, stdout: "ignore", stderr: "pipe" },
  );
  const socket = new WebSocket(`${await readEndpoint(firefox.stderr)}/session`);
  const complaints: string[] = [];
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data));
    if (message.method === "log.entryAdded" && ["error", "warn"].includes(message.params.level))
      complaints.push(message.params.text);
    const asked = waiting.get(message.id);
    if (message.type === "error") asked?.reject(new Error(`Cannot control Firefox: ${message.message}`));
    else asked?.resolve(message.result);
  });
  // biome-ignore lint/suspicious/noExplicitAny: each command has its own result
  async function ask(method: string, params: object): Promise<any> {
    const asked = Promise.withResolvers<unknown>();
    const id = waiting.size + 1;
    waiting.set(id, asked);
    socket.send(JSON.stringify({ id, method, params }));
    return asked.promise;
  }
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  await ask("session.new", { capabilities: {} });
  await ask("session.subscribe", { events: ["log.entryAdded"] });
  const { contexts } = await ask("browsingContext.getTree", {});
  const { context } = contexts[0];
  return {
    /** Errors and warnings of the console, of scripts and of the policy of a page since the window opened. */
    complaints,
    resize: (viewport: { width: number; height: number }): Promise<void> =>
      ask("browsingContext.setViewport", { context, viewport }),
    open: (url: string): Promise<void> => ask("browsingContext.navigate", { context, url, wait: "complete" }),
    /** The value of an expression in the page; the page must make text of it. */
    async evaluate(expression: string): Promise<string> {
      const target = { context };
      const { result, exceptionDetails } = await ask("script.evaluate", {
        expression,
        target,
        awaitPromise: true,
      });
      if (exceptionDetails !== undefined)
        throw new Error(`Cannot evaluate "${expression}": ${exceptionDetails.text}`);
      return result.value;
    },
    async close(): Promise<void> {
      socket.close();
      firefox.kill();
      await firefox.exited;
    },
  };
}

/** Reads the line that names the address of the WebSocket; the rest of the output is thrown away. */
async function readEndpoint(output: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of output.values({ preventCancel: true })) {
    text += new TextDecoder().decode(chunk);
    const found = /listening on (ws:\S+)/.exec(text)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error(`Cannot start Firefox: ${text}`);
}
