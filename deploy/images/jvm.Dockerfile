# syntax=docker/dockerfile:1
# The JVM image of one service, from the root of the repository:
#   docker build -f deploy/images/jvm.Dockerfile --build-arg SERVICE=api-service -t oneshot-api-service .

FROM docker.io/library/maven:3.9-eclipse-temurin-25 AS build
ARG SERVICE
WORKDIR /source
COPY . .
RUN --mount=type=cache,target=/root/.m2 \
    mvn -B -q -pl "$SERVICE" -am -DskipTests -Dspotless.check.skip package \
 && deploy/images/assemble runtime /oneshot/jre \
 && deploy/images/assemble app "$SERVICE/target/quarkus-app" /oneshot/app /oneshot/jre/bin/java

# glibc, CA certificates and time zones; no shell, no package manager.
FROM gcr.io/distroless/base-debian12:nonroot
COPY --from=build /oneshot /oneshot
WORKDIR /oneshot/app
USER 10001:10001
ENTRYPOINT ["/oneshot/jre/bin/java", "-XX:MaxRAMPercentage=70", "-XX:+ExitOnOutOfMemoryError", "-XX:AOTCache=app.aot", "-jar", "quarkus-run.jar"]
