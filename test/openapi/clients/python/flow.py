"""A partner's program in Python, on the client that openapi-python-client writes: every operation is in it, and all of it loads; then puts a
product, reads it, receives the webhook of an order of it, handles an error. What is not as it should be ends it."""
import hashlib
import hmac
import importlib
import json
import os
import pkgutil
import queue
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from uuid import UUID, uuid4

import suuq_client
from suuq_client import AuthenticatedClient
from suuq_client.api.orders import get_order, set_order_status
from suuq_client.api.products import list_products, upsert_product
from suuq_client.api.webhooks import create_webhook_endpoint, delete_webhook_endpoint
from suuq_client.models import (
    CreateWebhookEndpointInputBody,
    CreateWebhookEndpointInputBodyEventsItem,
    OrderCreatedEvent,
    OrderStatusBody,
    OrderStatusBodyStatus,
    Problem,
    ProductFields,
)

TOLERANCE_SECONDS = 300


def verified(body: bytes, header: str, secret: str) -> bool:
    """Whether one of the signatures is the secret's, of these bytes, within five minutes."""
    parts = [part.partition("=") for part in header.split(",")]
    at = next((value for name, _, value in parts if name == "t"), "")
    if not at.isascii() or not at.isdigit() or abs(time.time() - int(at)) > TOLERANCE_SECONDS:
        return False
    tag = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return any(name == "v1" and hmac.compare_digest(value, tag) for name, _, value in parts)


def whole() -> None:
    """Nothing of the document was left out, and every module loads."""
    modules = [importlib.import_module(one.name) for one in pkgutil.walk_packages(suuq_client.__path__, "suuq_client.")]
    with open(os.environ["SUUQ_OPENAPI"]) as file:
        document = json.load(file)
    operations = sum(len(methods) for methods in document["paths"].values())
    calls = sum(hasattr(one, "sync_detailed") for one in modules)
    assert calls == operations, f"{calls} of {operations} operations"


def flow(deliveries: queue.Queue, address: str) -> None:
    store = UUID(os.environ["SUUQ_STORE"])
    client = AuthenticatedClient(os.environ["SUUQ_URL"], os.environ["SUUQ_STORE_KEY"], timeout=30)

    fields = ProductFields(name="Dirac, gold", image_urls=["https://shop.example.com/dirac.jpg"], price_cents=4500)
    assert upsert_product.sync_detailed(store, "python-dirac", client=client, body=fields).status_code == 201
    listed = list_products.sync(store, client=client).products
    assert ("python-dirac", 4500) in [(one.external_id, one.price_cents) for one in listed]

    subscribed = [CreateWebhookEndpointInputBodyEventsItem.ORDER_CREATED]
    endpoint = create_webhook_endpoint.sync(
        store, client=client, body=CreateWebhookEndpointInputBody(url=address, events=subscribed)
    )
    command = ["node", os.environ["SUUQ_CLI"], "trigger", "order.created", "--set", "product=python-dirac", "--json"]
    order_id = UUID(json.loads(subprocess.run(command, check=True, capture_output=True, timeout=60).stdout)["orderId"])

    body, header = deliveries.get(timeout=60)
    assert verified(body, header, endpoint.secret), f"the signature is not the endpoint's: {header}"
    assert not verified(body + b" ", header, endpoint.secret), "another body has the same signature"
    created = OrderCreatedEvent.from_dict(json.loads(body))
    assert created.data.order.id == order_id

    order = get_order.sync(store, order_id, client=client)
    assert order.total_cents == created.data.order.total_cents
    delivered = OrderStatusBody(status=OrderStatusBodyStatus.DELIVERED)
    refused = set_order_status.sync(store, order_id, client=client, body=delivered)
    assert isinstance(refused, Problem) and (refused.status, refused.code) == (409, "order_status_not_allowed"), refused
    missing = get_order.sync(store, uuid4(), client=client)
    assert isinstance(missing, Problem) and missing.code == "not_found", missing

    assert delete_webhook_endpoint.sync_detailed(store, endpoint.endpoint.id, client=client).status_code == 204
    print(f"python: product, order {order.number} by webhook, refusals")


def main() -> None:
    whole()
    deliveries: queue.Queue = queue.Queue(16)

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(min(int(self.headers["Content-Length"]), 1 << 20))
            deliveries.put((body, self.headers["Service-Signature"]), timeout=1)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Receiver) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        flow(deliveries, f"http://127.0.0.1:{server.server_port}")
        server.shutdown()


main()
