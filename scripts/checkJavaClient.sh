#!/bin/sh
# A client for Java, generated from the OpenAPI document as a partner would, and a program that plays a flow on it against a service of its own
# (test/openapi/clients/java). Needs mvn, java 17, node and curl. Run `npm run build` first.
set -eu
home=$(cd "$(dirname "$0")/.." && pwd)
[ -n "${SUUQ_OPENAPI:-}" ] || exec sh "$home/scripts/withService.sh" sh "$home/scripts/checkJavaClient.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sh "$home/scripts/openApiGenerator.sh" generate --generator-name java --library native --input-spec "$SUUQ_OPENAPI" --output "$folder" \
  --invoker-package suuq --api-package suuq.api --model-package suuq.model \
  --additional-properties openApiNullable=false,useOneOfDiscriminatorLookup=true,hideGenerationTimestamp=true >"$folder/generator.txt" 2>&1 ||
  { cat "$folder/generator.txt"; exit 1; }
mkdir "$folder/src/main/java/shop"
cp "$home/test/openapi/clients/java/Flow.java" "$folder/src/main/java/shop"
cd "$folder"
mvn -q -B -Dmaven.compiler.release=17 compile dependency:build-classpath -Dmdep.outputFile=classpath -Dmdep.includeScope=runtime
timeout 120 java -cp "target/classes:$(cat classpath)" shop.Flow
