package suuq;

import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.backend.CollectionOptions;
import de.bwaldvogel.mongo.backend.CursorRegistry;
import de.bwaldvogel.mongo.backend.QueryResult;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.backend.memory.MemoryCollection;
import de.bwaldvogel.mongo.backend.memory.MemoryDatabase;
import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory backend, which finds a document of one id by the id's index also where the filter says more of it, as a
 * server does. By itself it reads the whole collection for such a filter.
 */
final class IndexedById extends MemoryBackend {
  @Override
  public MemoryDatabase openOrCreateDatabase(String name) {
    return new Database(name, getCursorRegistry());
  }

  private static final class Database extends MemoryDatabase {
    private final CursorRegistry cursors;

    Database(String name, CursorRegistry cursors) {
      super(name, cursors);
      this.cursors = cursors;
    }

    @Override
    protected MemoryCollection openOrCreateCollection(String name, CollectionOptions options) {
      return new Collection(this, name, options, cursors);
    }
  }

  private static final class Collection extends MemoryCollection {
    Collection(MongoDatabase database, String name, CollectionOptions options, CursorRegistry cursors) {
      super(database, name, options, cursors);
    }

    @Override
    protected QueryResult queryDocuments(
        Document query, Document order, int skip, int limit, int batchSize, Document fields) {
      Object id = query.get("_id");
      if (query.size() < 2 || !(id instanceof String) || skip > 0 || (fields != null && !fields.isEmpty()))
        return super.queryDocuments(query, order, skip, limit, batchSize, fields);
      List<Document> matching = new ArrayList<>();
      for (Document document : super.queryDocuments(new Document("_id", id), null, 0, 0, 0, null))
        if (documentMatchesQuery(document, query)) matching.add(document);
      return new QueryResult(matching);
    }
  }
}
