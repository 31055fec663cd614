# syntax=docker/dockerfile:1
# The JVM image of one service, from the root of the repository:
#   docker build -f deploy/images/jvm.Dockerfile --build-arg SERVICE=api-service -t oneshot-api-service .

# Each digest is that of an index of images for amd64 and arm64. A release renews it: docs/releasing.md.
ARG BUILD_BASE=docker.io/library/maven:3.9-eclipse-temurin-25@sha256:93b8a14ea2f412782e4e842651273b4d903e35cc496284f178fbbe2d67d00976
# glibc, CA certificates and time zones; no shell, no package manager. For amd64 and arm64.
ARG RUNTIME_BASE=gcr.io/distroless/base-debian13:nonroot@sha256:a0d70d6a97cd697d9362bc2aae4a6560dd65817e365d0043b07325a97975dc91

FROM ${BUILD_BASE} AS build
WORKDIR /source
COPY . .
# A builder caches this step for all four images.
RUN --mount=type=cache,target=/root/.m2 \
    mvn -B -q -pl deploy/images/training -am -Dmaven.test.skip=true -Dspotless.check.skip package \
 && deploy/images/assemble runtime /oneshot/jre
ARG SERVICE
# Seconds for each service to start while its cache is recorded, and to write it: raise it on a slow builder.
ARG TRAINING_TIMEOUT=300
RUN deploy/images/assemble contents "$SERVICE" /oneshot/app \
 && deploy/images/assemble train /oneshot/jre/bin/java "$SERVICE=/oneshot/app"

FROM ${RUNTIME_BASE}
# Layers by how often they change: runtime, libraries, application, cache. A cache holds the times of the jars, in whole seconds, which
# COPY keeps.
COPY --from=build /oneshot/jre /oneshot/jre
COPY --from=build /oneshot/app/lib /oneshot/app/lib
COPY --from=build /oneshot/app/jvm-options /oneshot/app/sbom.cdx.json /oneshot/app/quarkus-run.jar /oneshot/app/
COPY --from=build /oneshot/app/quarkus /oneshot/app/quarkus
COPY --from=build /oneshot/app/app /oneshot/app/app
COPY --from=build /oneshot/app/app.aot /oneshot/app/app.aot
COPY deploy/images/pod-options /etc/oneshot/jvm/options
ARG SERVICE
ARG VERSION=1.0.0
ARG REVISION=
LABEL org.opencontainers.image.title="oneshot-$SERVICE" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /oneshot/app
USER 10001:10001
ENTRYPOINT ["/oneshot/jre/bin/java", "@jvm-options", "@/etc/oneshot/jvm/options", "-XX:AOTCache=app.aot", "-jar", "quarkus-run.jar"]
