# The studio itself: web, worker, upkeep and the engine proxy are this one image with different commands. The sandbox
# image is another one, which `studio image build --engine docker` makes.
#
# Packages come from the index that pip is configured for, or, where there are any, from deploy/wheels/ without a network.
# Certificates in deploy/certs/ (*.crt) are trusted; they are a part of the sandbox image's name too, so that they must be
# this machine's, which `setup/compose` sees to. Both folders are ignored by git.
FROM python:3.11-slim-bookworm AS build
COPY requirements.lock setup/build.lock deploy /context/
RUN set -eu; \
    mkdir -p /context/certs /context/wheels; \
    cat /etc/ssl/certs/ca-certificates.crt /context/certs/*.crt >/context/trusted.crt 2>/dev/null || true; \
    if ls /context/wheels/*.whl >/dev/null 2>&1; then from="--no-index --find-links /context/wheels"; else from=; fi; \
    python3 -m venv /opt/studio; \
    PIP_CERT=/context/trusted.crt PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 \
        /opt/studio/bin/pip install --quiet --require-hashes $from -r /context/build.lock -r /context/requirements.lock
COPY pyproject.toml README.md LICENSE /source/
COPY studio /source/studio
COPY tasks /source/tasks
COPY web /source/web
COPY sandbox_image /source/sandbox_image
RUN /opt/studio/bin/pip install --quiet --disable-pip-version-check --no-deps --no-index --no-build-isolation /source && \
    /opt/studio/bin/pip uninstall --quiet --yes setuptools

FROM python:3.11-slim-bookworm
COPY --from=build /opt/studio /opt/studio
COPY --from=build /context/trusted.crt /etc/ssl/certs/studio.crt
COPY --from=build /context/certs /usr/local/share/ca-certificates
# /run/studio-engine holds the socket of the engine proxy, which runs as 0:1000 without a capability.
RUN groupadd --gid 1000 studio && useradd --uid 1000 --gid 1000 --home-dir /data --no-create-home studio && \
    install -d -o 1000 -g 1000 -m 0750 /data && install -d -o 0 -g 1000 -m 0750 /run/studio-engine
ENV PATH=/opt/studio/bin:/usr/local/bin:/usr/bin:/bin LANG=C.UTF-8 PYTHONUNBUFFERED=1 \
    SSL_CERT_FILE=/etc/ssl/certs/studio.crt STUDIO_DATA_DIR=/data STUDIO_IMAGE_DIR=/data/images
USER 1000:1000
WORKDIR /data
VOLUME /data
CMD ["studio", "serve", "web"]
