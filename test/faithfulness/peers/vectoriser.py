"""An embeddings server without a model: scikit-learn counts words. Prints its address, and ends with its input."""
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.metrics.pairwise import cosine_similarity

VECTORS = HashingVectorizer(n_features=512, alternate_sign=False, norm=None)


class Server(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        answer = self.embeddings(asked) if self.path.endswith("/embeddings") else self.rerank(asked)
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def embeddings(self, asked):
        vectors = VECTORS.transform(asked["input"]).toarray().tolist()
        return {"data": [{"index": at, "embedding": vector} for at, vector in enumerate(vectors)]}

    def rerank(self, asked):
        """Its own cosine, which that of the embeddings must be."""
        query = VECTORS.transform([asked["query"]])
        scores = cosine_similarity(query, VECTORS.transform(asked["documents"]))[0]
        results = [{"index": at, "relevance_score": min(1.0, float(score))} for at, score in enumerate(scores)]
        return {"results": sorted(results, key=lambda one: -one["relevance_score"])}

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"http://127.0.0.1:{server.server_address[1]}/v1", flush=True)
sys.stdin.read()
