import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

final class Verify {
  /** body: the bytes as they came. header: Service-Signature. secret: the whole of it, whsec_ included. now: in seconds. */
  static boolean verified(byte[] body, String header, String secret, long now) throws GeneralSecurityException {
    if (header == null) return false;
    String t = "";
    for (String part : header.split(",")) if (t.isEmpty() && part.startsWith("t=")) t = part.substring(2);
    if (!t.matches("[0-9]{1,15}") || Math.abs(now - Long.parseLong(t)) > 300) return false;
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    mac.update((t + ".").getBytes(StandardCharsets.UTF_8));
    byte[] expected = HexFormat.of().formatHex(mac.doFinal(body)).getBytes(StandardCharsets.UTF_8);
    for (String part : header.split(","))
      if (part.startsWith("v1=")
          && MessageDigest.isEqual(expected, part.substring(3).getBytes(StandardCharsets.UTF_8))) return true;
    return false;
  }
}
