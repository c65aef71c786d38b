import { tables } from "../kit/scenarios.ts";

tables("request_context");
