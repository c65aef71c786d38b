import { surveying, type TestLookup } from "../kit/open_app.ts";
import { tables } from "../kit/scenarios.ts";

const failing: TestLookup = async (...asked) => {
  await surveying(...asked);
  throw new Error("secret");
};

// A path of each kind of route: with a parameter and without, JSON, text, page, stream, POST.
tables("errors", { failing });
