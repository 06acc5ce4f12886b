package shop;

import com.sun.net.httpserver.HttpServer;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import suuq.ApiClient;
import suuq.ApiException;
import suuq.api.OrdersApi;
import suuq.api.ProductsApi;
import suuq.api.WebhooksApi;
import suuq.model.CreateWebhookEndpointInputBody;
import suuq.model.OrderStatusBody;
import suuq.model.Problem;
import suuq.model.ProductFields;
import suuq.model.WebhookEvent;

/**
 * A partner's program in Java, on the client that openapi-generator writes: puts a product, reads it, receives the webhook of an order of it,
 * handles an error. What is not as it should be ends it.
 */
public final class Flow {
  record Delivery(String header, byte[] body) {}

  interface Call {
    void make() throws ApiException;
  }

  static void must(boolean ok, String otherwise) {
    if (!ok) throw new IllegalStateException(otherwise);
  }

  static String env(String name) {
    String value = System.getenv(name);
    must(value != null, name + " is not set");
    return value;
  }

  /** Whether one of the signatures is the secret's, of these bytes, within five minutes. */
  static boolean verified(byte[] body, String header, String secret) throws Exception {
    String at = "";
    List<String> signatures = new ArrayList<>();
    for (String part : header.split(",")) {
      if (part.startsWith("t=")) at = part.substring(2);
      if (part.startsWith("v1=")) signatures.add(part.substring(3));
    }
    if (!at.matches("[0-9]{1,12}")) return false;
    Duration age = Duration.between(Instant.ofEpochSecond(Long.parseLong(at)), Instant.now()).abs();
    if (age.compareTo(Duration.ofMinutes(5)) > 0) return false;
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    mac.update((at + ".").getBytes(StandardCharsets.UTF_8));
    byte[] tag = mac.doFinal(body);
    String hex = String.format("%064x", new BigInteger(1, tag));
    return signatures.stream().anyMatch(one -> MessageDigest.isEqual(one.getBytes(), hex.getBytes()));
  }

  static Problem refused(ApiClient client, Call call) throws Exception {
    try {
      call.make();
    } catch (ApiException error) {
      return client.getObjectMapper().readValue(error.getResponseBody(), Problem.class);
    }
    throw new IllegalStateException("it was not refused");
  }

  /** The order of a customer of the sandbox. */
  static UUID orderOf(ApiClient client, String product) throws Exception {
    Process trigger =
        new ProcessBuilder("node", env("SUUQ_CLI"), "trigger", "order.created", "--set", "product=" + product, "--json")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    byte[] said = trigger.getInputStream().readAllBytes();
    must(trigger.waitFor(60, TimeUnit.SECONDS) && trigger.exitValue() == 0, "the sandbox made no order");
    return UUID.fromString(client.getObjectMapper().readTree(said).get("orderId").asText());
  }

  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(env("SUUQ_URL"));
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + env("SUUQ_STORE_KEY")));
    UUID store = UUID.fromString(env("SUUQ_STORE"));
    ProductsApi products = new ProductsApi(client);
    OrdersApi orders = new OrdersApi(client);
    WebhooksApi webhooks = new WebhooksApi(client);

    var fields = new ProductFields().name("Dirac, red").imageUrls(List.of(URI.create("https://shop.example.com/dirac.jpg"))).priceCents(4500L);
    products.upsertProduct(store, "java-dirac", fields, null, null);
    var listed = products.listProducts(store, null, null, null, null, null, null).getProducts();
    must(listed.stream().anyMatch(one -> one.getExternalId().equals("java-dirac") && one.getPriceCents() == 4500), "the product is not listed");

    BlockingQueue<Delivery> deliveries = new ArrayBlockingQueue<>(16);
    HttpServer receiver = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    receiver.createContext("/", exchange -> {
      byte[] body = exchange.getRequestBody().readNBytes(1 << 20);
      deliveries.offer(new Delivery(exchange.getRequestHeaders().getFirst("Service-Signature"), body));
      exchange.sendResponseHeaders(204, -1);
      exchange.close();
    });
    receiver.start();
    try {
      var input = new CreateWebhookEndpointInputBody()
          .url(URI.create("http://127.0.0.1:" + receiver.getAddress().getPort()))
          .addEventsItem(CreateWebhookEndpointInputBody.EventsEnum.ORDER_CREATED);
      var endpoint = webhooks.createWebhookEndpoint(store, input, null, null);
      UUID orderId = orderOf(client, "java-dirac");

      Delivery one = deliveries.poll(60, TimeUnit.SECONDS);
      must(one != null, "no webhook came");
      must(verified(one.body, one.header, endpoint.getSecret()), "the signature is not the endpoint's: " + one.header);
      must(!verified(Arrays.copyOf(one.body, one.body.length + 1), one.header, endpoint.getSecret()), "another body has the same signature");
      var created = client.getObjectMapper().readValue(one.body, WebhookEvent.class).getOrderCreatedEvent();
      must(created.getData().getOrder().getId().equals(orderId), "another order: " + created);

      var order = orders.getOrder(store, orderId, null, null);
      must(order.getTotalCents().equals(created.getData().getOrder().getTotalCents()), "another order: " + order);
      var delivered = new OrderStatusBody().status(OrderStatusBody.StatusEnum.DELIVERED);
      Problem problem = refused(client, () -> orders.setOrderStatus(store, orderId, delivered, null, null));
      must(problem.getStatus() == 409 && problem.getCode().equals("order_status_not_allowed"), "refusal: " + problem);
      Problem missing = refused(client, () -> orders.getOrder(store, UUID.randomUUID(), null, null));
      must(missing.getCode().equals("not_found"), "no order: " + missing);

      webhooks.deleteWebhookEndpoint(store, endpoint.getEndpoint().getId(), null, null);
      System.out.println("java: product, order " + order.getNumber() + " by webhook, refusals");
    } finally {
      receiver.stop(0);
    }
  }
}
