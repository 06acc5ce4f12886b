package suuq;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * An emulator of MongoDB's wire protocol for tests, not a database: it holds everything in memory. Listens on a free
 * loopback port, prints the port as one line, and runs until it is ended; with the argument {@code attached} also
 * until its standard input closes, so that it never outlives the process that started it.
 */
public final class MongoEmulator {
  /** What it reports by itself is too old for the driver; what is asked of it here it does as 5.0 does. */
  private static final MongoVersion VERSION =
      new MongoVersion() {
        @Override
        public List<Integer> getVersionArray() {
          return List.of(5, 0, 0);
        }

        @Override
        public int getWireVersion() {
          return 13;
        }
      };

  private MongoEmulator() {}

  public static void main(String[] arguments) throws IOException {
    IndexedById backend = new IndexedById();
    backend.version(VERSION);
    MongoServer server = new MongoServer(backend);
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    System.out.println(server.getLocalAddress().getPort());
    if (arguments.length > 0 && arguments[0].equals("attached")) {
      while (System.in.read() != -1) {
        // Nothing is said to it.
      }
      server.shutdownNow();
    }
  }
}
