"""An MCP server on the standard library alone, as somebody would write it who knows the protocol and no SDK."""

import json
import sys

NOTES = {}


def tool(name, description, properties, required, **annotations):
    schema = {"type": "object", "properties": properties, "required": required}
    return {"name": name, "description": description, "inputSchema": schema, "annotations": annotations}


TEXT = {"type": "string"}
TOOLS = [
    tool("read_note", "Returns a note.", {"title": TEXT}, ["title"], readOnlyHint=True),
    tool("write_note", "Writes a note.", {"title": TEXT, "text": TEXT}, ["title", "text"]),
    tool("count_notes", "Counts the notes.", {}, [], readOnlyHint=True),
]


def call(name, args):
    if name == "count_notes":
        return str(len(NOTES))
    if name == "write_note":
        NOTES[args["title"]] = args["text"]
        return "written"
    if args["title"] not in NOTES:
        raise LookupError(f"Note {args['title']!r} not found.")
    return NOTES[args["title"]]


def answer(method, params):
    if method == "initialize":
        capabilities = {"tools": {}, "resources": {}, "prompts": {}}
        info = {"name": "notes.py", "version": "0.1.0"}
        version = params["protocolVersion"]
        return {"protocolVersion": version, "capabilities": capabilities, "serverInfo": info, "instructions": "Keep notes short."}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        try:
            return {"content": [{"type": "text", "text": call(params["name"], params.get("arguments", {}))}]}
        except LookupError as error:
            return {"content": [{"type": "text", "text": str(error)}], "isError": True}
    if method == "resources/list":
        return {"resources": [{"uri": f"note:///{title}", "name": title} for title in NOTES]}
    if method == "resources/templates/list":
        return {"resourceTemplates": []}
    if method == "resources/read":
        title = params["uri"].removeprefix("note:///")
        return {"contents": [{"uri": params["uri"], "mimeType": "text/plain", "text": NOTES[title]}]}
    if method == "prompts/list":
        return {"prompts": [{"name": "summarize", "arguments": [{"name": "title", "required": True}]}]}
    if method == "prompts/get":
        text = f"Summarize: {NOTES[params['arguments']['title']]}"
        return {"messages": [{"role": "user", "content": {"type": "text", "text": text}}]}
    if method == "ping":
        return {}
    raise NotImplementedError(method)


print("notes.py is ready", file=sys.stderr, flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    reply = {"jsonrpc": "2.0", "id": message["id"]}
    try:
        reply["result"] = answer(message["method"], message.get("params", {}))
    except NotImplementedError:
        reply["error"] = {"code": -32601, "message": "Method not found"}
    except Exception as error:
        reply["error"] = {"code": -32603, "message": repr(error)}
    print(json.dumps(reply), flush=True)
