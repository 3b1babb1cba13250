// Asked by the container's engine: healthy is a service that can do its work.
// oxlint-disable-next-line node/no-process-env -- a program of its own, without the services' settings
const answer = await fetch(`http://127.0.0.1:${process.env.HEALTH_PORT ?? 9090}/health/ready`, { signal: AbortSignal.timeout(3000) });
if (!answer.ok) {
  process.stderr.write(`${await answer.text()}\n`);
  process.exit(1);
}
