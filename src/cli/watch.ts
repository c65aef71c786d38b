import { EXIT, ExitError, openWebhookPorts, readWebhook } from "#app";
import { makeTestEvent, sendEvent } from "#watch";
import { type Command, commandTextsOf, readOptions, withService, wrongUsage } from "./command.ts";

/** `limpid watch test`: sends one message to the webhook of the watch. */
export const watch: Command = {
  ...commandTextsOf("watch"),
  async run(args, context) {
    const { operands } = readOptions(watch, args);
    if (operands.length !== 1 || operands[0] !== "test") throw wrongUsage("watch", "expected test");
    const config = context.readConfig();
    const webhook = readWebhook(config);
    if (webhook === undefined) throw new ExitError(EXIT.config, "Cannot send: LIMPID_WATCH_URL is not set");
    return withService(context, config, async (service) => {
      const event = makeTestEvent(context.now());
      const problem = await sendEvent(event, webhook, openWebhookPorts(service, config, context.now));
      if (problem !== undefined)
        throw new ExitError(EXIT.unavailable, `Cannot send ${event.id} to the webhook: ${problem}`);
      await context.write(`sent ${event.id}\n`);
      return EXIT.ok;
    });
  },
};
