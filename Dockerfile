# The service in a container: built in one stage, run in another as a user without rights. It writes to /data alone (and
# /tmp), so it may run with a root that is read only and without any capability, as docker-compose.yml has it.
#
# The base stands here by its tag: a digest is only known where the registry can be asked. docs/operating/docker.md says how to pin it.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npx tsc -p tsconfig.json --sourceMap false && npm run --silent build:bundle && npm run --silent build:pages \
  && rm dist/.*tsbuildinfo dist/bundled/*.map \
  && npm prune --omit=dev --ignore-scripts

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 SUUQ_CONSOLE_PORT=3009 SUUQ_DATA=/data
WORKDIR /app
# Volumes take over the owner of the folders that they are mounted on.
RUN install -d -o node -g node -m 0700 /data /keys /certs && ln -s /app/bin/suuq.mjs /usr/local/bin/suuq
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/bin ./bin
COPY --from=build /app/dist ./dist
USER node
VOLUME /data
# The second is the operator's: the console, readiness and metrics.
EXPOSE 3000 3009
HEALTHCHECK --interval=10s --timeout=5s --start-period=90s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.SUUQ_CONSOLE_PORT + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=32", "bin/suuq.mjs"]
CMD ["start"]
