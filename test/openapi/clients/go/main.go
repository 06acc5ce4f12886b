// A partner's program in Go, on the client that oapi-codegen writes: puts a product, reads it, receives the webhook of an order of it, handles
// an error. What is not as it should be ends it.
package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"shop/suuq"
)

func must(ok bool, format string, values ...any) {
	if !ok {
		log.Fatalf(format, values...)
	}
}

func got[T any](value T, err error) T {
	must(err == nil, "%v", err)
	return value
}

// verified says whether one of the signatures is the secret's, of these bytes, within five minutes.
func verified(body []byte, header, secret string) bool {
	var at string
	var signatures []string
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(part, "=")
		if name == "t" {
			at = value
		} else if name == "v1" {
			signatures = append(signatures, value)
		}
	}
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(at + "." + string(body)))
	for _, signature := range signatures {
		if given, err := hex.DecodeString(signature); err == nil && hmac.Equal(given, mac.Sum(nil)) {
			return true
		}
	}
	return false
}

func main() {
	ctx, end := context.WithTimeout(context.Background(), time.Minute)
	defer end()
	store := uuid.MustParse(os.Getenv("SUUQ_STORE"))
	client := got(suuq.NewClientWithResponses(os.Getenv("SUUQ_URL"), suuq.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+os.Getenv("SUUQ_STORE_KEY"))
			return nil
		})))

	product := suuq.ProductFields{Name: "Dirac, green", ImageUrls: []string{"https://shop.example.com/dirac.jpg"}, PriceCents: 4500}
	put := got(client.UpsertProductWithResponse(ctx, store, "go-dirac", nil, product))
	must(put.JSON201 != nil, "product: %s", put.Body)
	listed := got(client.ListProductsWithResponse(ctx, store, nil))
	must(listed.JSON200 != nil, "products: %s", listed.Body)
	found := false
	for _, one := range listed.JSON200.Products {
		found = found || one.ExternalId == "go-dirac" && one.PriceCents == 4500
	}
	must(found, "the product is not listed: %s", listed.Body)

	type delivery struct {
		header string
		body   []byte
	}
	deliveries := make(chan delivery, 16)
	receiver := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(io.LimitReader(request.Body, 1<<20))
		deliveries <- delivery{request.Header.Get("Service-Signature"), body}
		answer.WriteHeader(http.StatusNoContent)
	}))
	defer receiver.Close()
	endpoint := got(client.CreateWebhookEndpointWithResponse(ctx, store, nil, suuq.CreateWebhookEndpointInputBody{
		Url: receiver.URL, Events: []suuq.CreateWebhookEndpointInputBodyEvents{suuq.CreateWebhookEndpointInputBodyEventsOrderCreated},
	}))
	must(endpoint.JSON201 != nil, "endpoint: %s", endpoint.Body)
	must(endpoint.JSON201.Secret != nil, "no secret: %s", endpoint.Body)
	secret := *endpoint.JSON201.Secret

	trigger := exec.CommandContext(ctx, "node", os.Getenv("SUUQ_CLI"), "trigger", "order.created", "--set", "product=go-dirac", "--json")
	trigger.Stderr = os.Stderr
	var made struct{ OrderId uuid.UUID }
	must(json.Unmarshal(got(trigger.Output()), &made) == nil, "the sandbox said nothing of an order")

	var one delivery
	select {
	case one = <-deliveries:
	case <-ctx.Done():
		log.Fatal("no webhook came")
	}
	must(verified(one.body, one.header, secret), "the signature is not the endpoint's: %s", one.header)
	must(!verified(append(one.body, ' '), one.header, secret), "another body has the same signature")
	var event suuq.WebhookEvent
	must(json.Unmarshal(one.body, &event) == nil, "no event: %s", one.body)
	created, is := got(event.ValueByDiscriminator()).(suuq.OrderCreatedEvent)
	must(is && created.Data.Order.Id == made.OrderId, "another event: %s", one.body)

	read := got(client.GetOrderWithResponse(ctx, store, made.OrderId, nil))
	must(read.JSON200 != nil && read.JSON200.TotalCents == created.Data.Order.TotalCents, "order: %s", read.Body)
	refused := got(client.SetOrderStatusWithResponse(ctx, store, made.OrderId, nil, suuq.SetOrderStatusJSONRequestBody{Status: "delivered"}))
	problem := refused.ApplicationproblemJSON409
	must(problem != nil && problem.Code == "order_status_not_allowed" && problem.Detail != nil, "refusal: %s", refused.Body)
	missing := got(client.GetOrderWithResponse(ctx, store, uuid.New(), nil))
	must(missing.ApplicationproblemJSON404 != nil && missing.ApplicationproblemJSON404.Code == "not_found", "no order: %s", missing.Body)

	gone := got(client.DeleteWebhookEndpointWithResponse(ctx, store, endpoint.JSON201.Endpoint.Id, nil))
	must(gone.StatusCode() == http.StatusNoContent, "endpoint: %s", gone.Body)
	fmt.Println("go: product, order", created.Data.Order.Number, "by webhook, refusals")
}
