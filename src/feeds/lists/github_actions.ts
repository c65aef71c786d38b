import * as v from "valibot";
import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";
import { parseFields } from "./readers.ts";

const GithubMetaSchema = v.object({
  actions: v.array(v.string()),
  actions_macos: v.optional(v.array(v.string()), []),
  codespaces: v.optional(v.array(v.string()), []),
});

/**
 * Where GitHub runs its users' jobs and workspaces: rentable servers. GitHub's own services, which are in the same file,
 * are not used: users do not connect from them (https://docs.github.com/en/rest/meta/meta).
 */
export const githubActions = {
  id: "github_actions",
  name: "GitHub Actions",
  family: "github",
  licence: "published facts, none stated",
  homepage: "https://docs.github.com/en/rest/meta/meta",
  files: [{ url: "https://api.github.com/meta", maxBytes: 4_194_304, contentTypes: ["application/json"] }],
  meanings: ["hosting"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 500,
  maxRows: 60_000,
  parse: readMeta,
} as const satisfies Feed;

function readMeta(content: FeedContent, sink: FeedSink): FeedFacts {
  const { actions, actions_macos, codespaces } = parseFields(GithubMetaSchema, content.json());
  for (const prefix of new Set([...actions, ...actions_macos])) {
    sink.prefix(prefix, { meaning: "hosting", label: "GitHub Actions" });
  }
  for (const prefix of new Set(codespaces)) {
    sink.prefix(prefix, { meaning: "hosting", label: "GitHub Codespaces" });
  }
  return {};
}
