# syntax=docker/dockerfile:1
# The JVM image of one service, from the root of the repository:
#   docker build -f deploy/images/jvm.Dockerfile --build-arg SERVICE=api-service -t oneshot-api-service .

FROM docker.io/library/maven:3.9-eclipse-temurin-25 AS build
WORKDIR /source
COPY . .
# A builder caches this step for all four images.
RUN --mount=type=cache,target=/root/.m2 \
    mvn -B -q -pl deploy/local/bench -am -Dmaven.test.skip=true -Dspotless.check.skip package \
 && deploy/images/assemble runtime /oneshot/jre
ARG SERVICE
RUN deploy/images/assemble contents "$SERVICE" /oneshot/app \
 && deploy/images/assemble train /oneshot/jre/bin/java "$SERVICE=/oneshot/app"

# glibc, CA certificates and time zones; no shell, no package manager.
FROM gcr.io/distroless/base-debian12:nonroot
COPY --from=build /oneshot /oneshot
WORKDIR /oneshot/app
USER 10001:10001
ENTRYPOINT ["/oneshot/jre/bin/java", "@jvm-options", "-XX:AOTCache=app.aot", "-jar", "quarkus-run.jar"]
