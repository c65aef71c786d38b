/** The composition: opens everything a command or a server needs, and connects the modules. */
export { openCorrections } from "./corrections.ts";
export { chooseDataDirectory, prepareDataDirectory, readSecret } from "./data_directory.ts";
export { EXIT, ExitError } from "./exit_codes.ts";
export { ALL_FEEDS, chooseFeeds, collectFeedFailures, openChosenFeeds } from "./feeds.ts";
export { type AppContext, locatePaths, PACKAGE_FILES, type Paths } from "./files.ts";
export { LOOPBACK, type Server } from "./http_server.ts";
export { waitForLauncherEnd } from "./launcher.ts";
export { openAdmissions, openLimits } from "./limits.ts";
export { createLineWriter, type LineSink } from "./line_writer.ts";
export { createLog } from "./log.ts";
export { showBudgets, watchRequests } from "./metrics.ts";
export { startMirror } from "./mirror.ts";
export { createPngPainter, DRAWING_LIBRARY } from "./png_painter.ts";
export { pruneDaily } from "./pruning.ts";
export { startServer } from "./server.ts";
export { formatUserAgent, OPERATOR, openService, type Service } from "./service.ts";
export { openWebhookPorts, readWebhook } from "./watch.ts";
