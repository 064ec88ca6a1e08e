# The complete application: installed and built here, nothing is installed or built at start. docs/operations.md says how to use it.
# BUILD_BASE needs Node 20 or newer with npm, BASE nothing but glibc 2.28 or newer (Debian, Ubuntu); Node itself comes from the lock file.
ARG BUILD_BASE=docker.io/library/node:24-bookworm-slim
ARG BASE=docker.io/library/debian:bookworm-slim

FROM ${BUILD_BASE} AS packages
WORKDIR /madhouse
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

FROM ${BUILD_BASE} AS site
WORKDIR /madhouse
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev
COPY . .
RUN node launch.mjs build

FROM ${BASE}
# Node needs this library; slim images lack it.
RUN ldconfig -p | grep -q libatomic.so.1 \
  || (apt-get update && apt-get install -y --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/*)
# By number, so that a platform that wants no root can see that this is none.
RUN mkdir -m 700 /data /keys && chown 10001:10001 /data /keys
WORKDIR /madhouse
COPY . .
COPY --from=packages /madhouse/node_modules node_modules
COPY --from=site /madhouse/build build
# One name for the Node of every platform.
RUN ln -s /madhouse/node_modules/node-linux-*/bin/node /usr/local/bin/node && node --version
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER 10001:10001
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "launch.mjs"]
CMD ["start"]
