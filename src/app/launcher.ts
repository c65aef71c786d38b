import { existsSync, readFileSync } from "node:fs";

/** How often the launcher is checked: the service has to end within 2 s. */
const CHECK_MS = 500;

/** `npx` has three processes between itself and the service. */
const MAX_ANCESTORS = 6;

/**
 * Resolves when the program that started this process has ended: its parent, and if npm or npx is an ancestor, any
 * process up to that one. Killing npx alone leaves its children running. Reads /proc of Linux, proc(5); without it,
 * only the parent is known.
 */
export function waitForLauncherEnd(): Promise<void> {
  const launcher = listLauncher();
  const { ppid } = process;
  const isGone = () =>
    launcher.length === 0
      ? process.ppid !== ppid
      : launcher.some(({ pid, startedAt }) => {
          const now = readProcess(pid);
          // Without a free file descriptor a running process cannot be read.
          if (now === undefined) return !existsSync(`/proc/${pid}`);
          return now.isEnded || now.startedAt !== startedAt;
        });
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (!isGone()) return;
      clearInterval(timer);
      resolve();
    }, CHECK_MS);
    timer.unref();
  });
}

function listLauncher() {
  const ancestors: NonNullable<ReturnType<typeof readProcess>>[] = [];
  let pid = process.ppid;
  while (pid > 1 && ancestors.length < MAX_ANCESTORS) {
    const ancestor = readProcess(pid);
    if (ancestor === undefined) break;
    ancestors.push(ancestor);
    // The process of npm is "npm exec" or "npm run", and before that npm-cli.js or npx-cli.js.
    if (/^np[mx](?:\s|$)|\/np[mx](?:-cli\.js)?(?:\s|$)/.test(ancestor.command)) return ancestors;
    pid = ancestor.parent;
  }
  return ancestors.slice(0, 1);
}

/** Reads a process of Linux. Its start time tells it from a later process with the same id. */
function readProcess(pid: number) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in brackets may contain anything; the fields after it are numbers.
    const [state = "", parent = "", ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    return { pid, parent: Number(parent), startedAt: rest[17] ?? "", isEnded: state === "Z", command };
  } catch {
    return undefined;
  }
}
