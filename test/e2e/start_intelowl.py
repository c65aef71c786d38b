import json, sys
from api_app.analyzers_manager.exceptions import AnalyzerRunException
from api_app.analyzers_manager.observable_analyzers.limpid import Limpid
given = json.load(sys.stdin)
plugin = Limpid()
for name, value in given["parameters"].items():
    setattr(plugin, name, value)
plugin.observable_name = given["observable"]
try:
    print(json.dumps({"status": "SUCCESS", "report": plugin.run()}))
except AnalyzerRunException as error:
    print(json.dumps({"status": "FAILED", "errors": [str(error)]}))
