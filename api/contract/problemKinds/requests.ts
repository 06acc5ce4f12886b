/** Requests that are invalid, or that name things that do not exist. */
import { kind } from './problemKind.js';

export const requests = {
  malformed_body: kind(
    400,
    'The body is not well-formed: JSON in UTF-8, or multipart/form-data where a file is uploaded.',
    'Send one JSON value, encoded in UTF-8; for a file, one whole form.',
  ),
  malformed_request: kind(
    400,
    'The header fields are not those of one request: Host is missing, or stands there twice.',
    'Send one Host header field. A proxy in between may add another.',
  ),
  not_found: kind(
    404,
    'There is no such thing, or the credential does not reach it.',
    'Check the path and the ids; a key reaches only its own workspace, a partner key and a session only their stores.',
  ),
  method_not_allowed: kind(
    405,
    'The path exists, but not with this method.',
    'Use one of the methods of the Allow header field.',
  ),
  request_timeout: kind(
    408,
    'The request did not arrive in time: 10 s for its header fields, 60 s for JSON, 15 minutes for a file, 10 s without a byte of it.',
    'Send the request again, on a faster line.',
  ),
  precondition_failed: kind(
    412,
    'What If-Match names is not what there is now: somebody has changed it since it was read.',
    'Read it again, decide anew, and send the change with the new ETag.',
  ),
  payload_too_large: kind(
    413,
    'The body is larger than the operation takes: 1 MiB (1,048,576 bytes), 8 MiB (8,388,608 bytes) for a batch of products, 40 KiB for a sign-in.',
    'Send less at once, in several requests.',
  ),
  file_too_large: kind(
    413,
    'The file is larger than the channel carries: an image 5 MB, video and audio 16 MB, a sticker 500 KB, a document 100 MB.',
    'Send a smaller file.',
  ),
  uri_too_long: kind(
    414,
    'The URL of the request is longer than 16 KiB.',
    'Send fewer or shorter parameters, in several requests.',
  ),
  unsupported_media_type: kind(
    415,
    'The body is not sent as JSON, or as multipart/form-data where a file is uploaded.',
    'Send Content-Type: application/json (for a file multipart/form-data), without a content coding.',
  ),
  file_type_not_supported: kind(
    415,
    'The channel does not carry files of this type. What counts is what the bytes are, not what is said of them.',
    'Send JPEG, PNG, WebP, MP4, 3GPP, AAC, AMR, MP3, M4A, OGG, PDF, an office document or plain text.',
  ),
  range_not_satisfiable: kind(
    416,
    'The file has no bytes in the range that was asked for.',
    'Ask for a range within the size that Content-Range tells.',
  ),
  expectation_failed: kind(
    417,
    'The Expect header field asks for something else than 100-continue.',
    'Leave the field out, or send Expect: 100-continue.',
  ),
  range_reversed: kind(
    422,
    'The range ends before it begins, or as it begins.',
    'Exchange the two times; the first is part of the range, the second is not.',
  ),
  before_first_event: kind(
    422,
    'Nothing of what is asked for was there at that time yet.',
    'Ask for a time at or after the one that the detail names.',
  ),
  history_too_long: kind(
    422,
    'Too much has happened beside it to fold it in one request.',
    'Read its events, page by page, with from and to.',
  ),
  validation_failed: kind(
    422,
    'Parts of the request are not as the operation declares them.',
    'Read `errors`: one entry for each problem, with its location. Change the request before you send it again.',
  ),
  template_parameters_invalid: kind(
    422,
    'Parameters of the template are missing, superfluous or of a wrong kind.',
    'Read `errors`: one entry for each, with its place. The preview of the template says the same without sending.',
  ),
  invalid_cursor: kind(
    422,
    'The cursor is not one that this list gave.',
    'Pass the `next` value of the previous page unchanged, or leave the cursor out to start again.',
  ),
  header_fields_too_large: kind(
    431,
    'The header fields of the request have more than 16 KiB together.',
    'Send fewer or shorter header fields.',
  ),
  transfer_coding_not_supported: kind(
    501,
    'The body is sent in another transfer coding than chunked.',
    'Send the body with Content-Length, or with Transfer-Encoding: chunked alone.',
  ),
  idempotency_key_reused: kind(
    422,
    'This Idempotency-Key was used for another request in the last 24 hours.',
    'Use a new key for each new request, and the same key only to repeat the same one.',
  ),
} as const;
