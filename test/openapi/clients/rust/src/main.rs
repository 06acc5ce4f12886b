//! A partner's program in Rust, on the client that openapi-generator writes: puts a product, reads it, receives the webhook of an order of it,
//! handles an error. What is not as it should be ends it.
use hmac::{Hmac, Mac};
use sha2::Sha256;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use suuq::apis::{configuration::Configuration, orders_api, products_api, webhooks_api, Error};
use suuq::models::create_webhook_endpoint_input_body::Events;
use suuq::models::order_status_body::Status;
use suuq::models::{CreateWebhookEndpointInputBody, OrderStatusBody, Problem, ProductFields, WebhookEvent};

type Failure = Box<dyn std::error::Error>;

struct Delivery {
    signature: String,
    body: Vec<u8>,
}

fn env(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set"))
}

/// Whether one of the signatures is the secret's, of these bytes, within five minutes.
fn verified(body: &[u8], header: &str, secret: &str) -> bool {
    let part = |name: &'static str| header.split(',').filter_map(move |part| part.strip_prefix(name));
    let Some(at) = part("t=").next() else { return false };
    let Ok(seconds) = at.parse::<u64>() else { return false };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970").as_secs();
    if now.abs_diff(seconds) > 300 {
        return false;
    }
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key of any length");
    mac.update(format!("{at}.").as_bytes());
    mac.update(body);
    let result = part("v1=").any(|given| hex::decode(given).is_ok_and(|tag| mac.clone().verify_slice(&tag).is_ok()));
    result
}

/// The problem by which a call was refused.
fn refused<T, E>(answer: Result<T, Error<E>>) -> Result<Problem, Failure> {
    match answer {
        Err(Error::ResponseError(response)) => Ok(serde_json::from_str(&response.content)?),
        Err(_) => Err("no answer came".into()),
        Ok(_) => Err("it was not refused".into()),
    }
}

/// Listens on a port of its own; gives its address, and each delivery as it comes.
fn receiver() -> Result<(String, mpsc::Receiver<Delivery>), Failure> {
    let server = tiny_http::Server::http("127.0.0.1:0").map_err(|error| error.to_string())?;
    let address = format!("http://{}", server.server_addr());
    let (sender, deliveries) = mpsc::sync_channel(16);
    std::thread::spawn(move || {
        for mut request in server.incoming_requests() {
            let field = |name: &'static str| {
                let found = request.headers().iter().find(|one| one.field.equiv(name));
                found.map(|one| one.value.to_string()).unwrap_or_default()
            };
            let signature = field("Service-Signature");
            let mut body = Vec::new();
            let read = std::io::Read::read_to_end(request.as_reader(), &mut body);
            let _ = request.respond(tiny_http::Response::empty(if read.is_ok() { 204 } else { 400 }));
            let _ = sender.try_send(Delivery { signature, body });
        }
    });
    Ok((address, deliveries))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let store = env("SUUQ_STORE");
    let api = Configuration {
        base_path: env("SUUQ_URL"),
        bearer_access_token: Some(env("SUUQ_STORE_KEY")),
        client: reqwest::Client::builder().timeout(Duration::from_secs(30)).build()?,
        ..Configuration::default()
    };

    let fields = ProductFields::new("Dirac, blue".into(), vec!["https://shop.example.com/dirac.jpg".into()], 4500);
    products_api::upsert_product(&api, &store, "rust-dirac", fields, None, None).await?;
    let listed = products_api::list_products(&api, &store, None, None, None, None, None, None).await?;
    assert!(listed.products.iter().any(|one| one.external_id == "rust-dirac" && one.price_cents == 4500));

    let (address, deliveries) = receiver()?;
    let input = CreateWebhookEndpointInputBody::new(address, vec![Events::OrderCreated]);
    let made = webhooks_api::create_webhook_endpoint(&api, &store, input, None, None).await?;
    let secret = made.secret.ok_or("no secret")?;

    let trigger = Command::new("node")
        .args([&env("SUUQ_CLI"), "trigger", "order.created", "--set", "product=rust-dirac", "--json"])
        .stderr(Stdio::inherit())
        .output()?;
    let order_id = serde_json::from_slice::<serde_json::Value>(&trigger.stdout)?["orderId"].as_str().ok_or("no order")?.to_owned();

    let one = deliveries.recv_timeout(Duration::from_secs(60))?;
    assert!(verified(&one.body, &one.signature, &secret), "the signature is not the endpoint's: {}", one.signature);
    assert!(!verified(&[&one.body[..], b" "].concat(), &one.signature, &secret), "another body has the same signature");
    let WebhookEvent::OrderCreatedEvent(created) = serde_json::from_slice(&one.body)? else {
        return Err("another event".into());
    };
    assert_eq!(created.data.order.id.to_string(), order_id);

    let order = orders_api::get_order(&api, &store, &order_id, None, None).await?;
    assert_eq!(order.total_cents, created.data.order.total_cents);
    let delivered = OrderStatusBody::new(Status::Delivered);
    let problem = refused(orders_api::set_order_status(&api, &store, &order_id, delivered, None, None).await)?;
    assert_eq!((problem.status, problem.code.as_str()), (409, "order_status_not_allowed"));
    let missing = refused(orders_api::get_order(&api, &store, &uuid::Uuid::new_v4().to_string(), None, None).await)?;
    assert_eq!(missing.code, "not_found");

    webhooks_api::delete_webhook_endpoint(&api, &store, &made.endpoint.id.to_string(), None, None).await?;
    println!("rust: product, order {} by webhook, refusals", order.number);
    Ok(())
}
