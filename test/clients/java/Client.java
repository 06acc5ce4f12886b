/*
 * Uses the protocol endpoint as any Java program would, through the official client.
 * Arguments: the address (host:port). Prints a line for each thing that worked; ends with 1 at the first that did not.
 */
import com.eventstore.dbclient.*;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

public class Client {
  static final String PREFIX = "java" + UUID.randomUUID().toString().substring(0, 8);

  public static void main(String[] args) throws Exception {
    EventStoreDBClient client =
        EventStoreDBClient.create(EventStoreDBConnectionString.parseOrThrow("esdb://" + args[0] + "?tls=false"));
    try {
      appendsAndReads(client);
      subscribes(client);
      limitsAndDeletes(client);
      client.shutdown().get(5, TimeUnit.SECONDS);
    } catch (Throwable error) {
      error.printStackTrace();
      System.exit(1);
    }
    System.exit(0);
  }

  static EventData event(String type, int number) {
    return EventData.builderAsJson(type, ("{\"number\":" + number + "}").getBytes(StandardCharsets.UTF_8))
        .eventId(UUID.randomUUID())
        .metadataAsBytes("{\"by\":\"java\"}".getBytes(StandardCharsets.UTF_8))
        .build();
  }

  static <T> T soon(CompletableFuture<T> future) throws Exception {
    return future.get(15, TimeUnit.SECONDS);
  }

  static void check(boolean holds, String what) {
    if (!holds) throw new IllegalStateException("not so: " + what);
    System.out.println("ok " + what);
  }

  static boolean failsWith(Class<?> cause, CompletableFuture<?> future) throws Exception {
    try {
      soon(future);
      return false;
    } catch (ExecutionException error) {
      return cause.isInstance(error.getCause());
    }
  }

  static AppendToStreamOptions expecting(ExpectedRevision revision) {
    return AppendToStreamOptions.get().expectedRevision(revision);
  }

  static void appendsAndReads(EventStoreDBClient client) throws Exception {
    String stream = PREFIX + "-orders";
    List<EventData> three = List.of(event("Placed", 0), event("Paid", 1), event("Sent", 2));
    WriteResult first =
        soon(client.appendToStream(stream, expecting(ExpectedRevision.noStream()), three.iterator()));
    check(first.getNextExpectedRevision().toRawLong() == 2, "append of three events to a new stream");
    WriteResult again =
        soon(client.appendToStream(stream, expecting(ExpectedRevision.noStream()), three.iterator()));
    check(again.getNextExpectedRevision().toRawLong() == 2, "the same append again is recognised");
    check(
        failsWith(
            WrongExpectedVersionException.class,
            client.appendToStream(stream, expecting(ExpectedRevision.expectedRevision(0)), event("Late", 9))),
        "a wrong expectation is refused");

    List<ResolvedEvent> forwards =
        soon(client.readStream(stream, ReadStreamOptions.get().forwards().fromStart())).getEvents();
    check(forwards.size() == 3 && "Placed".equals(forwards.get(0).getEvent().getEventType()), "read forwards");
    String data = new String(forwards.get(1).getEvent().getEventData(), StandardCharsets.UTF_8);
    String metadata = new String(forwards.get(1).getEvent().getUserMetadata(), StandardCharsets.UTF_8);
    // This client adds trace ids of its own to metadata.
    check(data.equals("{\"number\":1}") && metadata.startsWith("{\"by\":\"java\""), "data and metadata as written");
    List<ResolvedEvent> backwards =
        soon(client.readStream(stream, ReadStreamOptions.get().backwards().fromEnd().maxCount(1))).getEvents();
    check("Sent".equals(backwards.get(0).getEvent().getEventType()), "read backwards");
    check(
        failsWith(StreamNotFoundException.class, client.readStream(PREFIX + "-nothing", ReadStreamOptions.get())),
        "a missing stream is not found");
    Position at = forwards.get(0).getEvent().getPosition();
    List<ResolvedEvent> all =
        soon(client.readAll(ReadAllOptions.get().forwards().fromPosition(at).maxCount(3))).getEvents();
    check(all.size() == 3 && all.get(0).getEvent().getStreamId().equals(stream), "read of $all from a position");
  }

  static final class Heard extends SubscriptionListener {
    final LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();

    @Override
    public void onEvent(Subscription subscription, ResolvedEvent event) {
      heard.add(event.getEvent().getEventType());
    }

    String next() throws Exception {
      return heard.poll(15, TimeUnit.SECONDS);
    }
  }

  static void subscribes(EventStoreDBClient client) throws Exception {
    String stream = PREFIX + "-live";
    soon(client.appendToStream(stream, event("First", 0)));
    Heard one = new Heard();
    Heard all = new Heard();
    Subscription toStream =
        soon(client.subscribeToStream(stream, one, SubscribeToStreamOptions.get().fromStart()));
    SubscriptionFilter filter = SubscriptionFilter.newBuilder().addStreamNamePrefix(stream).build();
    Subscription toAll =
        soon(client.subscribeToAll(all, SubscribeToAllOptions.get().fromStart().filter(filter)));
    check("First".equals(one.next()) && "First".equals(all.next()), "subscriptions bring the history");
    soon(client.appendToStream(PREFIX + "-other", event("Elsewhere", 0)));
    soon(client.appendToStream(stream, event("Second", 1)));
    check("Second".equals(one.next()) && "Second".equals(all.next()), "and go on live, filtered");
    toStream.stop();
    toAll.stop();
  }

  static void limitsAndDeletes(EventStoreDBClient client) throws Exception {
    String stream = PREFIX + "-limited";
    List<EventData> five = new ArrayList<>();
    for (int i = 0; i < 5; i++) five.add(event("Counted", i));
    Iterator<EventData> events = five.iterator();
    soon(client.appendToStream(stream, AppendToStreamOptions.get(), events));
    StreamMetadata limit = new StreamMetadata();
    limit.setMaxCount(2L);
    soon(client.setStreamMetadata(stream, limit));
    check(soon(client.getStreamMetadata(stream)).getMaxCount() == 2, "stream metadata are kept");
    check(soon(client.readStream(stream, ReadStreamOptions.get())).getEvents().size() == 2, "$maxCount holds");
    soon(client.deleteStream(stream));
    check(
        failsWith(StreamNotFoundException.class, client.readStream(stream, ReadStreamOptions.get())),
        "a deleted stream is not found");
    WriteResult anew = soon(client.appendToStream(stream, event("Anew", 5)));
    check(anew.getNextExpectedRevision().toRawLong() == 5, "a deleted stream goes on numbering");
    soon(client.tombstoneStream(stream));
    check(
        failsWith(StreamDeletedException.class, client.appendToStream(stream, event("Never", 6))),
        "a tombstone is for ever");
  }
}
