-- Asks limpid whether the visitor of a request may pass: http-request lua.limpid http://ADDRESS:PORT/PATH
-- txn.limpid is then "pass", "deny", "down" (no answer within a second) or "error" (any other answer). After an answer,
-- txn.limpid_verdict, txn.limpid_purity and txn.limpid_flags have the values of its headers.
local RESULTS = { ["204"] = "pass", ["403"] = "deny" }
local NAMES = { ["x-ip-verdict"] = "verdict", ["x-ip-purity"] = "purity", ["x-ip-flags"] = "flags" }
local MAX_LINES = 100

-- The client of HAProxy 2.6 tries a port that is closed for six seconds, so a socket asks.
local function ask(url, visitor)
  local host, port, path = url:match("^http://([^/:]+):(%d+)(/%S*)$")
  local socket = core.tcp()
  socket:settimeout(1)
  if not host or not socket:connect(host, tonumber(port)) then
    return nil
  end
  local lines = { "GET " .. path .. " HTTP/1.1", "Host: " .. host, "X-Forwarded-For: " .. visitor, "Connection: close" }
  socket:send(table.concat(lines, "\r\n") .. "\r\n\r\n")
  local status = (socket:receive("*l") or ""):match("^HTTP/1%.1 (%d%d%d)")
  local headers = {}
  for _ = 1, MAX_LINES do
    local name, value = (status and socket:receive("*l") or ""):match("^([^:]+):%s*([%w%-, ]*)")
    if not name then
      break
    end
    headers[name:lower()] = value
  end
  socket:close()
  return status, headers
end

core.register_action("limpid", { "http-req" }, function(txn, url)
  local status, headers = ask(url, txn.sf:src())
  txn:set_var("txn.limpid", status and (RESULTS[status] or "error") or "down")
  for header, name in pairs(NAMES) do
    if status and headers[header] then
      txn:set_var("txn.limpid_" .. name, headers[header])
    end
  end
end, 1)
