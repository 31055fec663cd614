import os
import pathlib

pytest_plugins = ["pytester"]
# The tests that run pytest do so in other folders.
os.environ["PYTHONPATH"] = str(pathlib.Path(__file__).parents[1] / "src")
