package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// Verified takes the bytes as they came, the header Service-Signature, and the whole secret, whsec_ included.
func Verified(body []byte, header, secret string, now time.Time) bool {
	var t string
	var macs [][]byte
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(part, "=")
		if name == "t" && t == "" {
			t = value
		} else if mac, err := hex.DecodeString(value); name == "v1" && err == nil {
			macs = append(macs, mac)
		}
	}
	at, err := strconv.ParseInt(t, 10, 64)
	if err != nil || now.Sub(time.Unix(at, 0)).Abs() > 5*time.Minute {
		return false
	}
	hash := hmac.New(sha256.New, []byte(secret))
	hash.Write([]byte(t + "."))
	hash.Write(body)
	expected := hash.Sum(nil)
	for _, mac := range macs {
		if hmac.Equal(mac, expected) {
			return true
		}
	}
	return false
}
