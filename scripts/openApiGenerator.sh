#!/bin/sh
# openApiGenerator.sh ARGUMENT…: OpenAPI Generator, of Maven Central; Maven keeps it. Needs mvn and java.
set -eu
version=7.25.0
repository=${SUUQ_MAVEN_REPOSITORY:-$HOME/.m2/repository}
jar="$repository/org/openapitools/openapi-generator-cli/$version/openapi-generator-cli-$version.jar"
[ -s "$jar" ] || mvn -q -B "-Dmaven.repo.local=$repository" dependency:get "-Dartifact=org.openapitools:openapi-generator-cli:$version" -Dtransitive=false
exec java -jar "$jar" "$@"
