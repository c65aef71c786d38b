import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("limpid", sys.argv[1])
module = importlib.util.module_from_spec(spec)
sys.modules["limpid"] = module
spec.loader.exec_module(module)
query = sys.stdin.buffer.read()
print(json.dumps([module.introspection(), module.version(), module.handler(q=query)]))
