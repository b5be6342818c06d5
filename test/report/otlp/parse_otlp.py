"""Reads lines of OTLP/JSON with the published protobuf definitions and says what they hold."""

import base64
import json
import sys

from google.protobuf import json_format
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

IDS = {"traceId": 16, "spanId": 8, "parentSpanId": 8}


def with_ids(value):
    """OTLP writes ids in hexadecimal, where the JSON of protobuf has Base64."""
    if isinstance(value, list):
        return [with_ids(one) for one in value]
    if not isinstance(value, dict):
        return value
    for key, size in IDS.items():
        if key in value and len(bytes.fromhex(value[key])) != size:
            raise ValueError(f"{key} has not {size} bytes")
    return {
        key: base64.b64encode(bytes.fromhex(one)).decode() if key in IDS else with_ids(one) for key, one in value.items()
    }


found = {"spans": 0, "records": 0, "names": []}
for line in sys.stdin:
    request = with_ids(json.loads(line))
    if "resourceSpans" in request:
        message = json_format.Parse(json.dumps(request), ExportTraceServiceRequest())
        spans = [span for r in message.resource_spans for s in r.scope_spans for span in s.spans]
        found["spans"] += len(spans)
        found["names"] += [span.name for span in spans]
    else:
        message = json_format.Parse(json.dumps(request), ExportLogsServiceRequest())
        found["records"] += sum(len(s.log_records) for r in message.resource_logs for s in r.scope_logs)
print(json.dumps(found))
