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
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * The memory backend, which finds documents by the id's index also where the filter says more of them or names several
 * ids, as a server does. By itself it reads the whole collection for such a filter.
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
      return new StoredCollection(this, name, options, cursors);
    }
  }

  private static final class StoredCollection extends MemoryCollection {
    StoredCollection(MongoDatabase database, String name, CollectionOptions options, CursorRegistry cursors) {
      super(database, name, options, cursors);
    }

    @Override
    protected QueryResult queryDocuments(
        Document query, Document order, int skip, int limit, int batchSize, Document fields) {
      List<?> ids = idsOf(query);
      boolean isPlain = skip == 0 && limit == 0 && isEmpty(order) && isEmpty(fields);
      if (ids == null || !isPlain) return super.queryDocuments(query, order, skip, limit, batchSize, fields);
      List<Document> matching = new ArrayList<>();
      for (Object id : new LinkedHashSet<>(ids))
        for (Document document : super.queryDocuments(new Document("_id", id), null, 0, 0, 0, null))
          if (query.size() == 1 || documentMatchesQuery(document, query)) matching.add(document);
      return new QueryResult(matching);
    }

    /** The ids that a filter names, one or {@code $in} a list; null if it may find others. */
    private static List<?> idsOf(Document query) {
      Object id = query.get("_id");
      if (id instanceof String) return query.size() == 1 ? null : List.of(id);
      if (!(id instanceof Document operators) || operators.size() != 1) return null;
      return operators.get("$in") instanceof Collection<?> ids && ids.stream().allMatch(String.class::isInstance)
          ? List.copyOf(ids)
          : null;
    }

    private static boolean isEmpty(Document document) {
      return document == null || document.isEmpty();
    }
  }
}
