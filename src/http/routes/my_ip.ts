import * as v from "valibot";
import { choice, described, titled } from "../parameters.ts";
import { clientAddress, createRoutes } from "../plugins/request_context.ts";
import { jsonReply, textReply } from "../reply.ts";
import { either, json, operation, problems, text } from "../responses.ts";

const MyIp = titled("MyIp", {
  ip: described(v.string(), "The address that this request came from, in canonical form."),
});

/** `/api/myip`: costs nothing, not even a lookup. */
export function myIpRoute(path: string) {
  return createRoutes()
    .model({ MyIp })
    .get(
      path,
      ({ query, requestContext }) => {
        const { text: address } = clientAddress(requestContext);
        return query.format === "text" ? textReply(`${address}\n`) : jsonReply({ ip: address });
      },
      {
        query: v.object({ format: choice(["text"], "The bare address and a newline instead of JSON.") }),
        response: {
          200: either(
            json("The caller's address.", MyIp, { example: { ip: "198.51.100.7" } }),
            text("The caller's address.", { example: "198.51.100.7\n" }),
          ),
          ...problems("nothing", "json", [400]),
        },
        detail: operation("getCallerAddress"),
      },
    );
}
