// Uses the protocol endpoint as any Go program would, through the official client.
// Argument: the address (host:port). Prints a line for each thing that worked; ends with 1 at the first that did not.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"github.com/google/uuid"
)

var prefix = "go" + uuid.NewString()[:8]

func check(holds bool, what string) {
	if !holds {
		fmt.Println("not so:", what)
		os.Exit(1)
	}
	fmt.Println("ok", what)
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
	return value
}

func event(kind string, number int) esdb.EventData {
	return esdb.EventData{
		EventID:     uuid.New(),
		EventType:   kind,
		ContentType: esdb.ContentTypeJson,
		Data:        []byte(fmt.Sprintf(`{"number":%d}`, number)),
		Metadata:    []byte(`{"by":"go"}`),
	}
}

func failsWith(err error, code esdb.ErrorCode) bool {
	known, ok := esdb.FromError(err)
	return !ok && known.Code() == code
}

// all reads a stream to its end.
func all(stream *esdb.ReadStream, err error) ([]*esdb.ResolvedEvent, error) {
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	var events []*esdb.ResolvedEvent
	for {
		event, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return events, nil
		}
		if err != nil {
			return nil, err
		}
		events = append(events, event)
	}
}

func next(subscription *esdb.Subscription) string {
	for {
		heard := subscription.Recv()
		if heard.EventAppeared != nil {
			return heard.EventAppeared.Event.EventType
		}
		if heard.SubscriptionDropped != nil {
			return "dropped"
		}
	}
}

func appendsAndReads(ctx context.Context, client *esdb.Client) {
	stream := prefix + "-orders"
	three := []esdb.EventData{event("Placed", 0), event("Paid", 1), event("Sent", 2)}
	first := must(client.AppendToStream(ctx, stream, esdb.AppendToStreamOptions{ExpectedRevision: esdb.NoStream{}}, three...))
	check(first.NextExpectedVersion == 2, "append of three events to a new stream")
	again := must(client.AppendToStream(ctx, stream, esdb.AppendToStreamOptions{ExpectedRevision: esdb.NoStream{}}, three...))
	check(again.NextExpectedVersion == 2, "the same append again is recognised")
	_, err := client.AppendToStream(ctx, stream, esdb.AppendToStreamOptions{ExpectedRevision: esdb.Revision(0)}, event("Late", 9))
	check(failsWith(err, esdb.ErrorCodeWrongExpectedVersion), "a wrong expectation is refused")

	forwards := must(all(client.ReadStream(ctx, stream, esdb.ReadStreamOptions{}, 100)))
	check(len(forwards) == 3 && forwards[0].Event.EventType == "Placed", "read forwards")
	check(string(forwards[1].Event.Data) == `{"number":1}` && string(forwards[1].Event.UserMetadata) == `{"by":"go"}`, "data and metadata as written")
	backwards := must(all(client.ReadStream(ctx, stream, esdb.ReadStreamOptions{From: esdb.End{}, Direction: esdb.Backwards}, 1)))
	check(backwards[0].Event.EventType == "Sent", "read backwards")
	_, err = all(client.ReadStream(ctx, prefix+"-nothing", esdb.ReadStreamOptions{}, 1))
	check(failsWith(err, esdb.ErrorCodeResourceNotFound), "a missing stream is not found")
	everything := must(all(client.ReadAll(ctx, esdb.ReadAllOptions{From: forwards[0].Event.Position}, 3)))
	check(len(everything) == 3 && everything[0].Event.StreamID == stream, "read of $all from a position")
}

func subscribes(ctx context.Context, client *esdb.Client) {
	stream := prefix + "-live"
	must(client.AppendToStream(ctx, stream, esdb.AppendToStreamOptions{}, event("First", 0)))
	one := must(client.SubscribeToStream(ctx, stream, esdb.SubscribeToStreamOptions{From: esdb.Start{}}))
	defer one.Close()
	filter := &esdb.SubscriptionFilter{Type: esdb.StreamFilterType, Prefixes: []string{stream}}
	every := must(client.SubscribeToAll(ctx, esdb.SubscribeToAllOptions{From: esdb.Start{}, Filter: filter}))
	defer every.Close()
	check(next(one) == "First" && next(every) == "First", "subscriptions bring the history")
	must(client.AppendToStream(ctx, prefix+"-other", esdb.AppendToStreamOptions{}, event("Elsewhere", 0)))
	must(client.AppendToStream(ctx, stream, esdb.AppendToStreamOptions{}, event("Second", 1)))
	check(next(one) == "Second" && next(every) == "Second", "and go on live, filtered")
}

func limitsAndDeletes(ctx context.Context, client *esdb.Client) {
	stream := prefix + "-limited"
	five := []esdb.EventData{}
	for i := 0; i < 5; i++ {
		five = append(five, event("Counted", i))
	}
	must(client.AppendToStream(ctx, stream, esdb.AppendToStreamOptions{}, five...))
	limit := esdb.StreamMetadata{}
	limit.SetMaxCount(2)
	must(client.SetStreamMetadata(ctx, stream, esdb.AppendToStreamOptions{}, limit))
	kept := must(client.GetStreamMetadata(ctx, stream, esdb.ReadStreamOptions{}))
	check(*kept.MaxCount() == 2, "stream metadata are kept")
	check(len(must(all(client.ReadStream(ctx, stream, esdb.ReadStreamOptions{}, 100)))) == 2, "$maxCount holds")
	must(client.DeleteStream(ctx, stream, esdb.DeleteStreamOptions{}))
	_, err := all(client.ReadStream(ctx, stream, esdb.ReadStreamOptions{}, 100))
	check(failsWith(err, esdb.ErrorCodeResourceNotFound), "a deleted stream is not found")
	anew := must(client.AppendToStream(ctx, stream, esdb.AppendToStreamOptions{}, event("Anew", 5)))
	check(anew.NextExpectedVersion == 5, "a deleted stream goes on numbering")
	must(client.TombstoneStream(ctx, stream, esdb.TombstoneStreamOptions{}))
	_, err = client.AppendToStream(ctx, stream, esdb.AppendToStreamOptions{}, event("Never", 6))
	check(failsWith(err, esdb.ErrorCodeStreamDeleted), "a tombstone is for ever")
}

func main() {
	settings := must(esdb.ParseConnectionString("esdb://" + os.Args[1] + "?tls=false"))
	client := must(esdb.NewClient(settings))
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	appendsAndReads(ctx, client)
	subscribes(ctx, client)
	limitsAndDeletes(ctx, client)
}
