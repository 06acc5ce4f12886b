/** Requests that are invalid, or that name things that do not exist. */
import { kind } from './problemKind.js';

export const requests = {
  malformed_body: kind(
    400,
    'The body is not well-formed: JSON in UTF-8, or multipart/form-data where a file is uploaded.',
    'Send one JSON value, encoded in UTF-8. For a file, send one complete form.',
  ),
  malformed_request: kind(
    400,
    'The header fields are not valid: Host is missing or repeated.',
    'Send one Host header field. A proxy in between may add a second one.',
  ),
  not_found: kind(
    404,
    'The object does not exist, or the credential has no access to it.',
    'Check the path and the ids. A key has access to its own workspace only, a partner key and a session to their stores only.',
  ),
  method_not_allowed: kind(
    405,
    'The path exists, but not with this method.',
    'Use one of the methods of the Allow header field.',
  ),
  request_timeout: kind(
    408,
    'The request did not arrive in time. Limits: 10 s for header fields, 60 s for JSON, 15 minutes for a file, 10 s without data.',
    'Send the request again over a faster connection.',
  ),
  precondition_failed: kind(
    412,
    'The object has changed since it was read: its ETag does not match If-Match.',
    'Read the object again, and send the change with the new ETag.',
  ),
  payload_too_large: kind(
    413,
    'The body exceeds the limit of the operation: 1 MiB (1,048,576 bytes), 8 MiB (8,388,608 bytes) for a batch of products, 40 KiB for a sign-in.',
    'Split the data into several requests.',
  ),
  file_too_large: kind(
    413,
    'The file exceeds the limit of the channel: an image 5 MB, video and audio 16 MB, a sticker 500 KB, a document 100 MB.',
    'Send a smaller file.',
  ),
  uri_too_long: kind(
    414,
    'The URL of the request is longer than 16 KiB.',
    'Send fewer or shorter parameters, or several requests.',
  ),
  unsupported_media_type: kind(
    415,
    'The Content-Type is not application/json, or multipart/form-data for a file.',
    'Send Content-Type: application/json (for a file multipart/form-data), without a content coding.',
  ),
  file_type_not_supported: kind(
    415,
    'The channel does not support files of this type. The type is detected from the content, not from the declared type.',
    'Send JPEG, PNG, WebP, MP4, 3GPP, AAC, AMR, MP3, M4A, OGG, PDF, an office document or plain text.',
  ),
  range_not_satisfiable: kind(
    416,
    'The requested range is outside the file.',
    'Request a range within the size in Content-Range.',
  ),
  expectation_failed: kind(
    417,
    'The Expect header field is not 100-continue.',
    'Remove the field, or send Expect: 100-continue.',
  ),
  range_reversed: kind(
    422,
    'The end of the range is not after its start.',
    'Swap the two times. The start is inclusive, the end is exclusive.',
  ),
  before_first_event: kind(
    422,
    'The object did not exist at that time.',
    'Request a time at or after the time in the detail.',
  ),
  history_too_long: kind(
    422,
    'The log has too many other events in this range for one request.',
    'Read its events, page by page, with from and to.',
  ),
  validation_failed: kind(
    422,
    'The request does not match the declaration of the operation.',
    'Read `errors`: one entry per problem, with its location. Correct the request before you send it again.',
  ),
  template_parameters_invalid: kind(
    422,
    'Parameters of the template are missing, unexpected or of the wrong kind.',
    'Read `errors`: one entry per problem, with its location. The preview of the template reports the same without sending.',
  ),
  invalid_cursor: kind(
    422,
    'The cursor does not belong to this list.',
    'Pass the `next` value of the previous page unchanged, or leave the cursor out to start again.',
  ),
  header_fields_too_large: kind(
    431,
    'The header fields of the request exceed 16 KiB in total.',
    'Send fewer or shorter header fields.',
  ),
  transfer_coding_not_supported: kind(
    501,
    'The body has a transfer coding other than chunked.',
    'Send the body with Content-Length, or with Transfer-Encoding: chunked alone.',
  ),
  idempotency_key_reused: kind(
    422,
    'This Idempotency-Key was used for a different request within the last 24 hours.',
    'Use a new key for each new request, and reuse a key only to repeat the same request.',
  ),
} as const;
