# syntax=docker/dockerfile:1
# The native image of one service. It has not been built yet. From the root of the repository:
#   docker build -f deploy/images/native.Dockerfile --build-arg SERVICE=api-service -t oneshot-api-service .

# The builder image's Maven is too old.
FROM docker.io/library/maven:3.9-eclipse-temurin-25@sha256:93b8a14ea2f412782e4e842651273b4d903e35cc496284f178fbbe2d67d00976 AS maven

FROM quay.io/quarkus/ubi9-quarkus-mandrel-builder-image:jdk-25@sha256:4dda6a3d677b57614849557d0d18aac7326c4f30175142b0f1bb91bdcfc5c29a AS build
ARG SERVICE
USER root
COPY --from=maven /usr/share/maven /usr/share/maven
WORKDIR /source
COPY . .
RUN --mount=type=cache,target=/root/.m2 \
    /usr/share/maven/bin/mvn -B -q -pl "$SERVICE" -am -DskipTests -Dspotless.check.skip -Dquarkus.native.enabled=true package \
 && mkdir /oneshot \
 && cp "$SERVICE"/target/*-runner /oneshot/service

FROM quay.io/quarkus/ubi9-quarkus-micro-image:2.0@sha256:d4295e70be7c3df55523bcbcc0fd696d518484de2579d5d87546d422649a1296
COPY --from=build /oneshot /oneshot
WORKDIR /oneshot
ARG SERVICE
ARG VERSION=1.0.0
ARG REVISION=
LABEL org.opencontainers.image.title="oneshot-$SERVICE" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.licenses="Apache-2.0"
USER 10001:10001
ENTRYPOINT ["/oneshot/service", "-XX:MaximumHeapSizePercent=70"]
